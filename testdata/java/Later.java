import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Later MS deadlock|stall|cpu|gc|heap: is idle, prints BEGUN so many milliseconds after READY, and then: two threads are
 * deadlocked; three wait for the monitor of one that sleeps; every core is used; System.gc() runs one after the other;
 * 80 % of the heap are taken and collected.
 */
final class Later {
    private static final Object STOCK = new Object();
    private static final Object BOOKS = new Object();
    private static final CountDownLatch BOTH = new CountDownLatch(2);
    static volatile Object live;
    static volatile long sink;

    public static void main(String[] args) throws Exception {
        ManyThreads.park(10, 10);
        Threads.ready();
        Thread.sleep(Threads.argument(args, 0, 1000));
        System.out.println("BEGUN");
        switch (args[1]) {
            case "deadlock":
                Threads.start("left", () -> take(STOCK, BOOKS));
                Threads.start("right", () -> take(BOOKS, STOCK));
                break;
            case "stall":
                Threads.start("owner", Later::own);
                Thread.sleep(50);
                for (int i = 1; i <= 3; i++) {
                    Threads.start("request-" + i, () -> take(STOCK, BOOKS));
                }
                break;
            case "cpu":
                for (int i = Runtime.getRuntime().availableProcessors(); i > 0; i--) {
                    Threads.start("burn-" + i, Later::burn);
                }
                break;
            case "gc":
                live = fill(Runtime.getRuntime().maxMemory() / 4);
                while (true) {
                    System.gc();
                }
            default:
                live = fill(Runtime.getRuntime().maxMemory() / 10 * 8);
                System.gc();
        }
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void take(Object first, Object second) throws InterruptedException {
        synchronized (first) {
            BOTH.countDown();
            BOTH.await();
            synchronized (second) {
                sink++;
            }
        }
    }

    private static void own() throws InterruptedException {
        synchronized (STOCK) {
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private static void burn() {
        while (true) {
            sink++;
        }
    }

    private static Object fill(long bytes) {
        List<byte[]> all = new ArrayList<>();
        for (long taken = 0; taken < bytes; taken += 1 << 10) {
            all.add(new byte[1 << 10]);
        }
        return all;
    }
}
