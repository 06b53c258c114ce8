import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Workers join a combination of futures of which one was never completed. */
public class Tapestry {
    private final ExecutorService looms = Executors.newFixedThreadPool(4);
    private final CompletableFuture<Integer> silk = new CompletableFuture<>();

    private CompletableFuture<Integer> wool(int count) {
        return CompletableFuture.supplyAsync(() -> count * 2, looms);
    }

    private int panel(int count) {
        return wool(count).thenCombine(silk, Integer::sum).thenApply(n -> n + 1).join();
    }

    public static void main(String[] args) throws Exception {
        Tapestry tapestry = new Tapestry();
        tapestry.looms.execute(() -> System.err.println(tapestry.panel(1)));
        tapestry.looms.execute(() -> System.err.println(tapestry.panel(2)));
        tapestry.looms.execute(() -> tapestry.wool(3));
        Thread.sleep(400);
        System.out.println("READY");
    }
}
