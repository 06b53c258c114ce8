import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Both workers sleep through their jobs; three callers wait in invokeAll. */
public class Laundry {
    private static final AtomicInteger NEXT = new AtomicInteger();
    private final ExecutorService drums =
            Executors.newFixedThreadPool(2, r -> new Thread(r, "drum-" + NEXT.incrementAndGet()));

    void wash(int shirts) {
        List<Callable<Integer>> loads = Arrays.asList(() -> cycle(shirts), () -> cycle(shirts + 1), () -> cycle(0));
        try {
            drums.invokeAll(loads);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int cycle(int shirts) throws InterruptedException {
        for (int minute = 0; minute < 600; minute++) {
            Thread.sleep(6000);
        }
        return shirts;
    }

    public static void main(String[] args) throws Exception {
        Laundry laundry = new Laundry();
        for (int i = 1; i <= 3; i++) {
            int shirts = i;
            new Thread(() -> laundry.wash(shirts), "t-" + i).start();
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
