import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A scheduler with short jobs at a fixed rate and long pauses between them. */
public class Metronome {
    private final AtomicLong ticks = new AtomicLong();

    private void tick() {
        for (int i = 0; i < 2000; i++) {
            ticks.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        Metronome metronome = new Metronome();
        ScheduledExecutorService box = Executors.newScheduledThreadPool(2);
        box.scheduleAtFixedRate(metronome::tick, 0, 100, TimeUnit.MILLISECONDS);
        box.scheduleWithFixedDelay(metronome::tick, 0, 250, TimeUnit.MILLISECONDS);
        Thread.sleep(400);
        System.out.println("READY");
    }
}
