import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Virtual threads stream news to those who listen, in the same JVM, as they come: every seven seconds, and a sign of life after twenty. */
public class Bitterns {
    private final Map<Long, BlockingQueue<String>> reeds = new ConcurrentHashMap<>();

    void boom(HttpExchange exchange) throws IOException {
        BlockingQueue<String> news = reeds.computeIfAbsent(Thread.currentThread().threadId(), id -> new LinkedBlockingQueue<>());
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            for (String call = "here"; ; call = news.poll(20, TimeUnit.SECONDS)) {
                out.write((call == null ? "still here\n" : call + "\n").getBytes());
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void listen(URI marsh) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(marsh.toURL().openStream()))) {
            while (in.readLine() != null) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Bitterns marsh = new Bitterns();
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(anywhere, 0);
        server.createContext("/boom", marsh::boom);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/boom");
        Runnable listener = () -> listen(uri);
        for (String name : new String[] {"t-1", "t-2", "t-3"}) {
            new Thread(listener, name).start();
        }
        while (marsh.reeds.size() < 3) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        new Timer("t-4").schedule(new TimerTask() {
            @Override
            public void run() {
                marsh.reeds.values().forEach(news -> news.add("dusk"));
            }
        }, 7000, 7000);
        System.out.println("READY");
    }
}
