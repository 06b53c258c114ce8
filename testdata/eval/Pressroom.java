import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Workers wait in a completion service for results of tasks that sit behind them in their own pool's queue. */
public class Pressroom {
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(2, 2, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>());

    private int issue(int pages) throws Exception {
        CompletionService<Integer> printed = new ExecutorCompletionService<>(pool);
        for (int page = 0; page < pages; page++) {
            int number = page;
            printed.submit(() -> number);
        }
        return collect(printed, pages);
    }

    private int collect(CompletionService<Integer> printed, int pages) throws Exception {
        int sum = 0;
        for (int i = 0; i < pages; i++) {
            sum += printed.take().get();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Pressroom room = new Pressroom();
        room.pool.prestartAllCoreThreads();
        for (int i = 0; i < 4; i++) {
            room.pool.submit(() -> room.issue(3));
        }
        Thread.sleep(500);
        System.out.println("READY");
        room.pool.shutdown();
        room.pool.awaitTermination(1, TimeUnit.DAYS);
    }
}
