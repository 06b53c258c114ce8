import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server's virtual threads wait for news, for twenty seconds at most, which come every seven; those who ask for them are in the same JVM. */
public class Bitterns {
    private static volatile CompletableFuture<String> tide = new CompletableFuture<>();
    private static final CountDownLatch WADING = new CountDownLatch(3);

    static String tide() {
        WADING.countDown();
        try {
            return tide.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            return "";
        }
    }

    static void turn() {
        CompletableFuture<String> old = tide;
        tide = new CompletableFuture<>();
        old.complete("high");
    }

    static void ask(int port) {
        while (true) {
            try (InputStream in = URI.create("http://127.0.0.1:" + port + "/tide").toURL().openStream()) {
                in.read();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/tide", exchange -> {
            byte[] answer = tide().getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        Executors.newSingleThreadScheduledExecutor().scheduleAtFixedRate(Bitterns::turn, 7, 7, TimeUnit.SECONDS);
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> ask(server.getAddress().getPort()), "t-" + i).start();
        }
        WADING.await();
        System.out.println("READY");
    }
}
