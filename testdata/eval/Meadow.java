import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;

/** Every worker of a ForkJoinPool waits for a latch that tasks queued in the same pool would count down. */
public class Meadow {
    private final ForkJoinPool pool = new ForkJoinPool(2);

    private void mow(int strips) {
        CountDownLatch done = new CountDownLatch(strips);
        for (int i = 0; i < strips; i++) {
            pool.execute(done::countDown);
        }
        rake(done);
    }

    private void rake(CountDownLatch done) {
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Meadow meadow = new Meadow();
        CountDownLatch begun = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            meadow.pool.submit(() -> {
                begun.countDown();
                while (begun.getCount() > 0) {
                    Thread.yield();
                }
                meadow.mow(4);
            });
        }
        Thread.sleep(500);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
