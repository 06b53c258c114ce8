import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Recorded [SECONDS=4]: a little of everything that a flight recorder records, in threads with names. It exits when the
 * time is over. Start it with -XX:StartFlightRecording.
 */
final class Recorded {
    static final List<byte[]> KEPT = new ArrayList<>();
    static final Object LOCK = new Object();
    static volatile Object sink;
    private static long end;

    /** Thrown with messages that differ. */
    static final class OrderException extends Exception {
        OrderException(String message) { super(message); }
    }

    /** An object with a finalizer. */
    static final class Closed {
        @Override protected void finalize() { sink = this; }
    }

    /** Loads its classes by itself, so that they can be unloaded. */
    static final class Loader extends ClassLoader {
        Class<?> load(String name) throws IOException {
            try (InputStream in = Recorded.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = all(in);
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = Threads.argument(args, 0, 4);
        end = System.nanoTime() + seconds * 1_000_000_000L;
        List<Thread> threads = new ArrayList<>();
        threads.add(start("allocator", Recorded::allocate));
        threads.add(start("thrower", Recorded::fail));
        threads.add(start("locker-1", Recorded::lock));
        threads.add(start("locker-2", Recorded::lock));
        threads.add(start("file", Recorded::files));
        threads.add(start("socket", Recorded::sockets));
        threads.add(start("compute", () -> sink = compute(2_000_000)));
        threads.add(start("parked", () -> LockSupport.parkNanos(25_000_000)));
        threads.add(start("classes", Recorded::loadClasses));
        threads.add(start("short", Recorded::shortThreads));
        virtual();
        Threads.ready();
        for (Thread t : threads) {
            t.join();
        }
        System.exit(0); // virtual threads and their carriers may go on
    }

    private static Thread start(String name, Threads.Task step) {
        Thread t = new Thread(() -> {
            try {
                while (System.nanoTime() < end) {
                    step.run();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
        t.start();
        return t;
    }

    private static void allocate() throws Exception {
        for (int i = 0; i < 2000; i++) {
            sink = new int[50 + i];
            sink = new StringBuilder("order ").append(i).toString();
        }
        Map<Integer, long[]> orders = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            orders.put(i, new long[i]);
            sink = new Closed();
        }
        sink = orders;
        if (KEPT.size() < 200) {
            KEPT.add(new byte[100_000]);
        }
        if (System.nanoTime() % 100 == 0) {
            System.gc();
        }
        Thread.sleep(1);
    }

    private static void fail() throws Exception {
        for (int i = 0; i < 3; i++) {
            try {
                order(i);
            } catch (OrderException | RuntimeException e) {
                sink = e;
            } catch (StackOverflowError e) {
                sink = e;
            }
        }
        Thread.sleep(30);
    }

    private static void order(int i) throws OrderException {
        if (i == 2) {
            throw new IllegalArgumentException("no order");
        }
        if (i == 1) {
            throw new AssertionErrorOf("broken order");
        }
        throw new OrderException("order " + i);
    }

    /** A runtime exception that is named as an error. */
    static final class AssertionErrorOf extends RuntimeException {
        AssertionErrorOf(String message) { super(message, new AssertionError(message)); }
    }

    private static void lock() throws Exception {
        synchronized (LOCK) {
            Thread.sleep(15);
            LOCK.wait(11);
        }
    }

    private static void files() throws Exception {
        File file = File.createTempFile("recorded", ".dat");
        try {
            try (OutputStream out = new FileOutputStream(file)) {
                for (int i = 0; i < 10; i++) {
                    out.write(new byte[2_000_000]);
                }
            }
            try (InputStream in = new FileInputStream(file)) {
                sink = all(in);
            }
        } finally {
            file.delete();
        }
        Thread.sleep(100);
    }

    private static void sockets() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
             Socket client = new Socket(server.getInetAddress(), server.getLocalPort()); Socket peer = server.accept()) {
            Thread writer = new Thread(() -> {
                try {
                    Thread.sleep(25);
                    peer.getOutputStream().write(new byte[1000]);
                    Thread.sleep(25);
                    peer.getOutputStream().write(new byte[10]);
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }, "socket-writer");
            writer.start();
            byte[] buffer = new byte[4000];
            for (int read = 0; read < 1010; ) { // both may come at once
                read += client.getInputStream().read(buffer);
            }
            sink = buffer;
            writer.join();
        }
    }

    private static double compute(int rounds) {
        double sum = 0;
        for (int i = 1; i < rounds; i++) {
            sum += Math.sin(i) * hash(i);
        }
        return sum;
    }

    private static int hash(int i) {
        return Integer.toString(i).hashCode();
    }

    private static void loadClasses() throws Exception {
        sink = new Loader().load("Idle");
        Thread.sleep(50);
    }

    private static void shortThreads() throws Exception {
        Thread t = new Thread(() -> sink = Thread.currentThread(), "short-lived");
        t.start();
        t.join();
        Thread.sleep(70);
    }

    /** A virtual thread that sleeps in a monitor: until JDK 24 it pins its carrier. */
    private static void virtual() throws Exception {
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) Recorded::pin);
        } catch (NoSuchMethodException e) {
            sink = e; // before JDK 21
        }
    }

    private static void pin() {
        Object own = new Object();
        while (System.nanoTime() < end) {
            synchronized (own) {
                try {
                    Thread.sleep(40);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    static byte[] all(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[1_000_000];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            out.write(buffer, 0, n);
        }
        return out.toByteArray();
    }
}
