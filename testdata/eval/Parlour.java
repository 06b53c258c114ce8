import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.concurrent.Executors;

/** Both workers of an HTTP server wait for a child process in their handler; clients of it wait for an answer. */
public class Parlour {
    private static void scoop(HttpExchange exchange) throws IOException {
        byte[] body = flavour().getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String flavour() throws IOException {
        Process maker = new ProcessBuilder("cat").start();
        byte[] taste = new byte[64];
        int n = maker.getInputStream().read(taste);
        return new String(taste, 0, n);
    }

    private static int order(int port) {
        try {
            URL url = new URL("http", InetAddress.getLoopbackAddress().getHostAddress(), port, "/ice");
            return ((HttpURLConnection) url.openConnection()).getResponseCode();
        } catch (IOException e) {
            return -1;
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/ice", Parlour::scoop);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
        int port = server.getAddress().getPort();
        for (int i = 1; i <= 4; i++) {
            new Thread(() -> order(port), "t-" + i).start();
        }
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
