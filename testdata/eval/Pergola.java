import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;

/** An HTTP server without an executor: its one handler waits for a child process in the server's own dispatcher. */
public class Pergola {
    private static void grow(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(prune(), -1);
        exchange.close();
    }

    private static int prune() throws IOException {
        try {
            return 200 + new ProcessBuilder("cat").start().waitFor();
        } catch (InterruptedException e) {
            return 500;
        }
    }

    private static void stroll(int port) {
        try {
            URL url = new URL("http", InetAddress.getLoopbackAddress().getHostAddress(), port, "/roses");
            System.out.println(((HttpURLConnection) url.openConnection()).getResponseCode());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/roses", Pergola::grow);
        server.start();
        int port = server.getAddress().getPort();
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> stroll(port), "t-" + i).start();
        }
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
