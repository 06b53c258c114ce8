import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class Beadle {
    static class Vote {
        final CountDownLatch counted = new CountDownLatch(1);

        void outcome() {
            try {
                counted.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) {
        ScheduledExecutorService rounds = Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "t-1"));
        rounds.scheduleWithFixedDelay(System::nanoTime, 50, 50, TimeUnit.MILLISECONDS);
        rounds.schedule(new Vote()::outcome, 400, TimeUnit.MILLISECONDS);
        System.out.println("READY");
    }
}
