import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The only thread of a scheduler waits for something scheduled on it. */
public class Tides {
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    private void high() {
        ScheduledFuture<Integer> low = clock.schedule(() -> 6, 50, TimeUnit.MILLISECONDS);
        try {
            System.out.println(low.get());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Tides tides = new Tides();
        tides.clock.scheduleWithFixedDelay(tides::high, 0, 1, TimeUnit.SECONDS);
        Thread.sleep(400);
        System.out.println("READY");
    }
}
