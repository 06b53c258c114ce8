import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Waits for what is due in minutes: a quote that is fixed at noon, and an offer that lapses. */
public class LateQuote {
    private static final ScheduledExecutorService NOON = Executors.newScheduledThreadPool(1);

    static void settle() {
        ScheduledFuture<Integer> quote = NOON.schedule(() -> 42, 5, TimeUnit.MINUTES);
        try {
            System.out.println("settled at " + quote.get());
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    static void lapse() {
        String taken = new CompletableFuture<String>().completeOnTimeout("nobody", 5, TimeUnit.MINUTES).join();
        System.out.println("taken by " + taken);
    }

    public static void main(String[] args) throws Exception {
        new Thread(LateQuote::settle, "t-1").start();
        new Thread(LateQuote::lapse, "t-2").start();
        Thread.sleep(500);
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
