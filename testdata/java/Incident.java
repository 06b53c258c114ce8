import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * Incident MODE [MS=4000]: what a flight recording is made of; it ends by itself.
 * contended: after a second, six threads want one monitor for MS, FROM and TO tell when; then two threads are deadlocked.
 * full: nearly all of the heap (-Xmx32m) lives, and garbage is made beside it for MS.
 * web: a server with an idle pool of threads answers one client for MS.
 */
final class Incident {
    private static final Object LEDGER = new Object();
    private static volatile Object sink;

    public static void main(String[] args) throws Exception {
        Threads.ready();
        long length = Threads.argument(args, 1, 4000);
        switch (args[0]) {
            case "contended":
                contended(length);
                break;
            case "full":
                full(length);
                break;
            default:
                web(length);
        }
        System.exit(0);
    }

    private static void contended(long length) throws Exception {
        Thread.sleep(1000);
        System.out.println("FROM " + System.currentTimeMillis());
        long end = System.currentTimeMillis() + length;
        Thread[] threads = new Thread[6];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Threads.start("booking-" + i, () -> {
                while (System.currentTimeMillis() < end) {
                    charge();
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("TO " + System.currentTimeMillis());
        Thread.sleep(1000);
        Object first = new Object();
        Object second = new Object();
        Threads.start("transfer-1", () -> move(first, second));
        Threads.start("transfer-2", () -> move(second, first));
        Thread.sleep(2500);
    }

    private static void charge() throws InterruptedException {
        synchronized (LEDGER) {
            Thread.sleep(50);
        }
    }

    private static void move(Object from, Object to) throws InterruptedException {
        synchronized (from) {
            Thread.sleep(200);
            synchronized (to) {
                System.out.println("moved");
            }
        }
    }

    private static void full(long length) {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < 26 * 1024; i++) {
            kept.add(new byte[1000]);
        }
        for (long end = System.currentTimeMillis() + length; System.currentTimeMillis() < end; ) {
            for (int i = 0; i < 1000; i++) {
                sink = new byte[1024];
            }
        }
        sink = kept;
    }

    private static void web(long length) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/", call -> {
            call.sendResponseHeaders(200, 2);
            call.getResponseBody().write(new byte[2]);
            call.close();
        });
        server.start();
        URL url = new URL("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        for (long end = System.currentTimeMillis() + length; System.currentTimeMillis() < end; Thread.sleep(5)) {
            try (InputStream answer = url.openStream()) {
                sink = answer.read();
            }
        }
    }
}
