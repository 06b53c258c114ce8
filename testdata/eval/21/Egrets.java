import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server's virtual threads wait for a result that nobody brings; those who ask it are in the same JVM, and a scheduler ticks. */
public class Egrets {
    private static final CompletableFuture<String> TIDE = new CompletableFuture<>();
    private static final CountDownLatch WADING = new CountDownLatch(3);
    private static volatile int ticks;

    static String tide() {
        WADING.countDown();
        return TIDE.join();
    }

    static void ask(int port) {
        try (InputStream in = URI.create("http://127.0.0.1:" + port + "/tide").toURL().openStream()) {
            in.read();
        } catch (Exception e) {
            throw new IllegalStateException(e);
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
        Executors.newSingleThreadScheduledExecutor().scheduleAtFixedRate(() -> ticks++, 0, 300, TimeUnit.MILLISECONDS);
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> ask(server.getAddress().getPort()), "t-" + i).start();
        }
        WADING.await();
        System.out.println("READY");
    }
}
