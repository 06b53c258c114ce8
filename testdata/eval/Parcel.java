import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Asynchronous stages join further stages on the same bounded pool. */
public class Parcel {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private final ExecutorService pool =
            Executors.newFixedThreadPool(3, r -> new Thread(r, "exec-" + NUMBER.incrementAndGet()));

    CompletableFuture<Double> quote(int weight) {
        return CompletableFuture.supplyAsync(() -> price(weight), pool);
    }

    private double price(int weight) {
        pause();
        CompletableFuture<Double> base = CompletableFuture.supplyAsync(() -> weight * 1.5, pool);
        CompletableFuture<Double> tax = base.thenApplyAsync(b -> b * 0.2, pool);
        return base.thenCombine(tax, Double::sum).join();
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Parcel parcel = new Parcel();
        CompletableFuture<?>[] quotes = new CompletableFuture<?>[3];
        for (int i = 0; i < quotes.length; i++) {
            quotes[i] = parcel.quote(i);
        }
        Thread.sleep(500);
        System.out.println("READY");
        CompletableFuture.allOf(quotes).join();
    }
}
