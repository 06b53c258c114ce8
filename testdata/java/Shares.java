import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.Deflater;

/**
 * The main thread spends its time in three methods, 60, 30 and 10 %. "sleeper" sleeps and "reader" waits for bytes
 * from a socket, for ever; the JVM calls the latter RUNNABLE. Shares garbage: two more threads allocate. Shares locks:
 * three more fight for a monitor. Shares malloc: one more has zlib allocate native memory and free it.
 */
public class Shares {
    static volatile long sink;

    public static void main(String[] args) throws Exception {
        start("sleeper", () -> Thread.sleep(Long.MAX_VALUE));
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        start("reader", () -> new Socket(server.getInetAddress(), server.getLocalPort()).getInputStream().read());
        Socket silent = server.accept();
        String more = args.length > 0 ? args[0] : "";
        for (int i = 0; i < 2 && more.equals("garbage"); i++) {
            start("garbage-" + i, Shares::garbage);
        }
        for (int i = 0; i < 3 && more.equals("locks"); i++) {
            start("fighter-" + i, Shares::fight);
        }
        if (more.equals("malloc")) {
            start("deflater", Shares::deflate);
        }
        System.out.println("READY");
        while (!silent.isClosed()) {
            int n = 50 + ThreadLocalRandom.current().nextInt(100); // no round is as long as a sampler's period
            sixty(n);
            thirty(n);
            ten(n);
        }
    }

    static void sixty(int n) {
        for (int i = 0; i < 6 * n; i++) {
            sink += work(5000);
        }
    }

    static void thirty(int n) {
        for (int i = 0; i < 3 * n; i++) {
            sink += work(5000);
        }
    }

    static void ten(int n) {
        for (int i = 0; i < n; i++) {
            sink += work(5000);
        }
    }

    /** A loop over a long has a safepoint poll. */
    static long work(long n) {
        long x = n;
        for (long i = 0; i < n; i++) {
            x = x * 6364136223846793005L + i;
            x ^= x >>> 13;
        }
        return x;
    }

    static void garbage() {
        byte[][] kept = new byte[3000][];
        for (int i = 0; ; i = (i + 1) % kept.length) {
            kept[i] = new byte[10_000];
            sink += kept[i].length;
        }
    }

    static void deflate() throws InterruptedException {
        while (true) {
            for (int i = 0; i < 10; i++) {
                new Deflater().end();
            }
            Thread.sleep(1);
        }
    }

    static void fight() throws InterruptedException {
        while (true) {
            hold();
            Thread.sleep(1); // or else it has the monitor again before another wakes up
        }
    }

    static synchronized void hold() throws InterruptedException {
        Thread.sleep(2);
    }

    interface Work {
        void run() throws Exception;
    }

    static void start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }
}
