import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Executors of three sorts, all idle after a little work; main waits for the end in a latch. */
public class Abbey {
    private static final CountDownLatch END = new CountDownLatch(1);

    private static void pray(int beads) {
        double sum = 0;
        for (int i = 0; i < beads; i++) {
            sum += Math.sqrt(i);
        }
        if (sum < 0) {
            END.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(END::countDown));
        ExecutorService fixed = Executors.newFixedThreadPool(4);
        ExecutorService cached = Executors.newCachedThreadPool();
        ScheduledExecutorService later = Executors.newScheduledThreadPool(2);
        for (int i = 0; i < 8; i++) {
            fixed.execute(() -> pray(1000));
            cached.execute(() -> pray(1000));
        }
        later.schedule(() -> pray(10), 0, TimeUnit.SECONDS);
        later.schedule(() -> pray(10), 1, TimeUnit.HOURS);
        Thread.sleep(300);
        System.out.println("READY");
        END.await();
    }
}
