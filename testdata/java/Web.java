import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/** The JDK's own HTTP server with a pool of 20 threads. */
final class Web {
    private static final String[] WORDS = "the quick brown fox jumps over the lazy dog and runs away".split(" ");

    /** Prints PORT and the port before it returns. */
    static void serve() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/", Web::answer);
        server.setExecutor(Executors.newFixedThreadPool(20));
        server.start();
        System.out.println("PORT " + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        byte[] page = page(exchange.getRequestURI().getQuery()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, page.length);
        exchange.getResponseBody().write(page);
        exchange.close();
    }

    /** The work of a request: a page of the words in order, each with its count. */
    static String page(String query) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            counts.merge(WORDS[i * 7 % WORDS.length] + i % 20 + query, 1, Integer::sum);
        }
        StringBuilder b = new StringBuilder("<ul>");
        counts.forEach((word, n) -> b.append("<li>").append(word).append(": ").append(n).append("</li>\n"));
        return b.append("</ul>").toString();
    }
}
