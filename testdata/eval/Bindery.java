import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Small pipelines of CompletableFutures, one after the other, with a pause now and then. */
public class Bindery {
    private final ExecutorService hands = Executors.newFixedThreadPool(3);

    private int book(int number) {
        CompletableFuture<Integer> text = CompletableFuture.supplyAsync(() -> number * 2, hands);
        CompletableFuture<Integer> cover = CompletableFuture.supplyAsync(() -> number + 7, hands);
        return text.thenCombineAsync(cover, Integer::sum, hands).thenApply(n -> n % 1000).join();
    }

    public static void main(String[] args) throws Exception {
        Bindery bindery = new Bindery();
        int last = 0;
        for (int i = 0; last >= 0; i++) {
            last = bindery.book(i & 1023);
            if (i % 20 == 0) {
                Thread.sleep(10);
            }
            if (i == 1000) {
                System.out.println("READY");
            }
        }
    }
}
