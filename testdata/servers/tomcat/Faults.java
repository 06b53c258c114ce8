import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;

/** A servlet with one fault, which its requests bring about. */
final class Faults extends HttpServlet {
    private static int silent;
    private final String fault;
    private final AtomicInteger turn = new AtomicInteger();
    private final Object stock = new Object();
    private final Object orders = new Object();
    private final CyclicBarrier both = new CyclicBarrier(2);
    private final BlockingQueue<String> mails = new ArrayBlockingQueue<>(2);
    private final CountDownLatch loaded = new CountDownLatch(1);
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    Faults(String fault) {
        this.fault = fault;
    }

    /** Sends the requests that bring the fault about. */
    static void provoke(String fault, int port) throws Exception {
        silent = Stage.silentServer();
        int requests = switch (fault) {
            case "deadlock", "class-init" -> 2;
            case "regex", "silent-peer", "scheduler" -> 1;
            case "poller" -> 3;
            case "connections" -> 6;
            case "queue" -> 4;
            case "lock" -> 5;
            default -> 8;
        };
        if (fault.equals("connections")) {
            for (int i = 0; i < 4; i++) {
                Main.database.getConnection(); // leaked
            }
        }
        Stage.send(port, "/fault", requests);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            switch (fault) {
                case "lock" -> reserve();
                case "pool" -> loaded.await();
                case "future" -> price();
                case "deadlock" -> transfer();
                case "connections" -> Main.database.getConnection().close();
                case "silent-peer" -> rates();
                case "regex" -> check();
                case "class-init" -> configure();
                case "queue" -> mail();
                case "scheduler" -> schedule();
                default -> response.getWriter().println("ok");
            }
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private void reserve() throws Exception {
        synchronized (stock) {
            new CompletableFuture<String>().get();
        }
    }

    private String price() {
        return new CompletableFuture<String>().join();
    }

    private void transfer() throws Exception {
        boolean first = turn.getAndIncrement() == 0;
        synchronized (first ? stock : orders) {
            both.await();
            synchronized (first ? orders : stock) {
                turn.decrementAndGet();
            }
        }
    }

    private int rates() throws IOException {
        try (Socket s = new Socket(InetAddress.getLoopbackAddress(), silent)) {
            s.getOutputStream().write("EUR\n".getBytes());
            return s.getInputStream().read();
        }
    }

    private boolean check() {
        return Pattern.compile("(.*)*\\1;").matcher("an order ".repeat(6)).matches();
    }

    private Object configure() throws Exception {
        boolean first = turn.getAndIncrement() == 0;
        both.await();
        return first ? Taxes.RATE : Prices.BASE;
    }

    /** Needs Prices to be initialised. */
    static final class Taxes {
        static final Object RATE = pause(() -> Prices.BASE);
    }

    /** Needs Taxes to be initialised. */
    static final class Prices {
        static final Object BASE = pause(() -> Taxes.RATE);
    }

    private static Object pause(java.util.function.Supplier<Object> other) {
        try {
            Thread.sleep(300);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new Object[] {other.get()};
    }

    private void mail() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            mails.put("mail " + i);
        }
    }

    private void schedule() {
        scheduler.scheduleAtFixedRate(this::refresh, 0, 100, TimeUnit.MILLISECONDS);
    }

    private void refresh() {
        try {
            loaded.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the server start no thread for its requests, as where a limit on threads is reached. */
    static void starveThreads(Connector connector) {
        Executor none = task -> {
            throw new OutOfMemoryError("unable to create native thread: possibly out of memory or process/resource limits reached");
        };
        ((AbstractProtocol<?>) connector.getProtocolHandler()).setExecutor(none);
    }
}
