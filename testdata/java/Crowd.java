import java.util.concurrent.Semaphore;

/**
 * Crowd many|short|virtual|web: who works is hard to see. many: 4 of 500 threads work. short: each thread lives 20 ms and works
 * for half of it, two at a time. virtual: so do virtual threads, which then end. web: an HTTP server on a port that PORT
 * tells, whose requests do little beside what the server does for each.
 */
final class Crowd {
    static volatile long sink;

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "many":
                ManyThreads.park(496, 14);
                for (int i = 1; i <= 4; i++) {
                    Threads.start("worker-" + i, () -> {
                        while (true) {
                            work(1_000_000);
                        }
                    });
                }
                Threads.ready();
                Thread.sleep(Long.MAX_VALUE);
                break;
            case "short":
                Threads.ready();
                inTurn(task -> Threads.start("brief", task::run));
                break;
            case "virtual":
                Threads.ready();
                inTurn(Crowd::startVirtual);
                break;
            case "web":
                Web.serve();
                Threads.ready();
                Thread.sleep(Long.MAX_VALUE);
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    interface Starter {
        void start(Runnable task) throws Exception;
    }

    /** Starts a thread as soon as there are fewer than two. */
    private static void inTurn(Starter starter) throws Exception {
        Semaphore free = new Semaphore(2);
        while (true) {
            free.acquire();
            starter.start(() -> {
                brief();
                free.release();
            });
        }
    }

    private static void brief() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 10_000_000) {
            work(10_000);
        }
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A loop over a long has a safepoint poll. */
    static void work(long n) {
        long x = sink;
        for (long i = 0; i < n; i++) {
            x = x * 6364136223846793005L + i;
            x ^= x >>> 13;
        }
        sink = x;
    }

    /** By reflection, as all is compiled for Java 8. */
    private static void startVirtual(Runnable task) throws Exception {
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    }
}
