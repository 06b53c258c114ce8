import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Three workers of a web server, all in the pause before the next try of something that always fails; clients wait. */
public class Postmill {
    static class Wind {
        private int calm;

        boolean blows() {
            calm++;
            return false;
        }
    }

    static class Miller {
        private final Wind wind;

        Miller(Wind wind) {
            this.wind = wind;
        }

        void grind(HttpExchange order) throws IOException {
            long patience = 1;
            while (!wind.blows()) {
                patience = Math.min(2 * patience, 20);
                rest(patience);
            }
            order.sendResponseHeaders(200, -1);
            order.close();
        }

        private void rest(long seconds) {
            try {
                TimeUnit.SECONDS.sleep(seconds);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static void ask(int port) {
        try {
            HttpURLConnection c = (HttpURLConnection) new URL("http://127.0.0.1:" + port + "/").openConnection();
            c.getResponseCode();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 20);
        Miller miller = new Miller(new Wind());
        server.createContext("/", miller::grind);
        server.setExecutor(Executors.newFixedThreadPool(3));
        server.start();
        int port = server.getAddress().getPort();
        for (int i = 1; i <= 6; i++) {
            new Thread(() -> ask(port), "t-" + i).start();
        }
        Thread.sleep(7500);
        System.out.println("READY");
    }
}
