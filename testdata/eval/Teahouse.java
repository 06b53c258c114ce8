import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server under light load from two clients in the same JVM that pause between requests. */
public class Teahouse {
    private static void pour(HttpExchange exchange) throws IOException {
        byte[] body = new byte[2048];
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void drink(URL url) {
        byte[] cup = new byte[4096];
        try {
            while (true) {
                HttpURLConnection connection = (HttpURLConnection) url.openConnection();
                try (InputStream in = connection.getInputStream()) {
                    while (in.read(cup) >= 0) {
                        cup[0]++;
                    }
                }
                Thread.sleep(30);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/tea", Teahouse::pour);
        ExecutorService staff = Executors.newFixedThreadPool(3);
        server.setExecutor(staff);
        server.start();
        URL url = new URL("http", server.getAddress().getAddress().getHostAddress(), server.getAddress().getPort(),
                "/tea");
        new Thread(() -> drink(url), "t-1").start();
        new Thread(() -> drink(url), "t-2").start();
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
