import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Watchers ask this JVM's own server, by an HttpClient, what rose; the pool that answers waits for it, up to half a minute. */
public class Godwits {
    private final BlockingQueue<String> risen = new LinkedBlockingQueue<>();
    private final AtomicInteger asked = new AtomicInteger();

    void rise(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        try {
            String fish = risen.poll(30, TimeUnit.SECONDS);
            byte[] text = (fish == null ? "nothing" : fish).getBytes();
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    static String ask(HttpClient client, URI bank) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(bank).build(), BodyHandlers.ofString()).body();
    }

    static void watch(HttpClient client, URI bank) {
        try {
            while (!ask(client, bank).isEmpty()) {
                Thread.onSpinWait();
            }
        } catch (IOException | InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Godwits bank = new Godwits();
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(anywhere, 0);
        server.createContext("/risen", bank::rise);
        ExecutorService pool = Executors.newFixedThreadPool(8);
        server.setExecutor(pool);
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/risen");
        HttpClient client = HttpClient.newHttpClient();
        Runnable watcher = () -> watch(client, uri);
        for (String name : new String[] {"t-1", "t-2", "t-3", "t-4"}) {
            new Thread(watcher, name).start();
        }
        while (bank.asked.get() < 4) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        System.out.println("READY");
    }
}
