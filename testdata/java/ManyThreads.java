import java.util.concurrent.CountDownLatch;

/** ManyThreads [THREADS=1000 [DEPTH=14]]: parked threads; a stack has two frames more than DEPTH of the JDK's own. */
final class ManyThreads {
    public static void main(String[] args) throws Exception {
        park(Threads.argument(args, 0, 1000), Threads.argument(args, 1, 14));
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }

    /** Returns when all are parked or about to. */
    static void park(int threads, int depth) throws InterruptedException {
        CountDownLatch there = new CountDownLatch(threads);
        for (int i = 1; i <= threads; i++) {
            Threads.start("parked-" + i, () -> Threads.parkAt(depth, there::countDown));
        }
        there.await();
    }
}
