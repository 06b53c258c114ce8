import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** A server's handlers take a permit each and lose it where the fare is not known; its clients are in the same JVM. */
public class Toll {
    private static final Semaphore LANES = new Semaphore(3);

    static int fare(String cart) {
        if (cart.endsWith("7")) {
            throw new IllegalStateException("no fare");
        }
        return cart.length();
    }

    static int pass(String cart) throws InterruptedException {
        LANES.acquire();
        int fare = fare(cart);
        LANES.release();
        return fare;
    }

    static void travel(int port, int k) {
        for (int i = 0; ; i++) {
            try (InputStream in = new URL("http://127.0.0.1:" + port + "/c" + (i * 6 + k)).openStream()) {
                in.read();
            } catch (Exception e) {
                // the next cart
            }
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", exchange -> {
            try {
                exchange.sendResponseHeaders(200 + 0 * pass(exchange.getRequestURI().getPath()), -1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                exchange.close();
            }
        });
        server.start();
        int port = server.getAddress().getPort();
        for (int c = 0; c < 6; c++) {
            int k = c;
            new Thread(() -> travel(port, k), "t-" + c).start();
        }
        while (LANES.availablePermits() > 0 || LANES.getQueueLength() < 4) {
            Thread.sleep(20);
        }
        System.out.println("READY");
    }
}
