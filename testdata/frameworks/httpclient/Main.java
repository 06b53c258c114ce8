import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpClient. The fault: answers that were never closed keep the connections, and callers wait for one. */
public class Main {
    static class Fetch {
        private final CloseableHttpClient client = HttpClients.custom()
                .evictExpiredConnections()
                .evictIdleConnections(TimeValue.ofMinutes(10))
                .setDefaultRequestConfig(RequestConfig.custom().setConnectionRequestTimeout(Timeout.ofHours(1)).build())
                .build();
        private final List<ClassicHttpResponse> open = new ArrayList<>();
        private final String page;

        Fetch(String page) {
            this.page = page;
        }

        void read() {
            try {
                client.execute(new HttpGet(page), response -> response.getEntity().getContentLength());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        void peek() throws IOException {
            open.add(client.executeOpen(null, new HttpGet(page), null));
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 50);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        server.start();
        CloseableHttpAsyncClient async = HttpAsyncClients.createDefault();
        async.start();
        Fetch fetch = new Fetch("http://127.0.0.1:" + server.getAddress().getPort() + "/list");
        for (int i = 0; i < 3; i++) {
            fetch.read();
        }
        List<Thread> readers = new ArrayList<>();
        if (args[0].equals("fault")) {
            for (int i = 1; i <= 5; i++) {
                fetch.peek();
            }
            for (int i = 1; i <= 4; i++) {
                readers.add(new Thread(fetch::read, "t-" + i));
            }
        }
        readers.forEach(Thread::start);
        Thread.sleep(500);
        System.out.println("READY");
        async.awaitShutdown(TimeValue.ofDays(1));
    }
}
