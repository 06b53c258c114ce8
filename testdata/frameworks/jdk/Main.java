import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What the JDK has of servers, pools and helpers. The fault: a page sleeps on the HTTP server's only thread. */
public class Main {
    static class Page implements HttpHandler {
        @Override
        public void handle(HttpExchange exchange) throws IOException {
            if (exchange.getRequestURI().getPath().equals("/far")) {
                fetch();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        }

        private void fetch() {
            try {
                Thread.sleep(3_600_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final List<Object> KEPT = new ArrayList<>();

    static <T> T keep(T helper) {
        KEPT.add(helper);
        return helper;
    }

    static void startPools() throws Exception {
        ExecutorService fixed = keep(Executors.newFixedThreadPool(2));
        ExecutorService cached = keep(Executors.newCachedThreadPool());
        ScheduledExecutorService scheduled = keep(Executors.newScheduledThreadPool(2));
        ForkJoinPool stealing = keep(new ForkJoinPool(2));
        for (int i = 0; i < 4; i++) {
            fixed.submit(() -> { }).get();
            cached.submit(() -> { }).get();
            scheduled.submit(() -> { }).get();
            stealing.submit(() -> IntStream.range(0, 1000).parallel().sum()).get();
        }
        scheduled.scheduleAtFixedRate(() -> { }, 0, 1, TimeUnit.HOURS);
        IntStream.range(0, 10_000).parallel().sum();
        new CompletableFuture<String>().orTimeout(1, TimeUnit.HOURS);
        keep(new SubmissionPublisher<String>()).consume(text -> { });
        new Timer().schedule(new TimerTask() {
            @Override
            public void run() {
                KEPT.size();
            }
        }, 3_600_000);
        new Timer(true);
    }

    static void startHelpers() throws Exception {
        Cleaner.create().register(keep(new Object()), () -> { });
        WatchService watch = keep(FileSystems.getDefault().newWatchService());
        Path.of(System.getProperty("java.io.tmpdir")).register(watch, StandardWatchEventKinds.ENTRY_CREATE);
        keep(AsynchronousServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))).accept();
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        keep(LocateRegistry.createRegistry(0, null, port -> new ServerSocket(port, 50, InetAddress.getLoopbackAddress())));
        keep(new ProcessBuilder("cat").start());
    }

    public static void main(String[] args) throws Exception {
        startPools();
        startHelpers();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 50);
        server.createContext("/", new Page());
        server.start();
        int port = server.getAddress().getPort();
        HttpClient client = keep(HttpClient.newHttpClient());
        client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/near")).build(),
                HttpResponse.BodyHandlers.discarding());
        for (int i = 0; i < 4; i++) {
            Caller.get(port, "/near");
        }
        if (args[0].equals("fault")) {
            Caller.send(port, "/far", 3);
            Thread.sleep(500);
        }
        System.out.println("READY");
    }
}
