import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A thread takes results of a completion service, once more than it handed in tasks; the pool is idle. */
public class Gleaner {
    private static void glean(ExecutorService pool, int fields) {
        CompletionService<Integer> ears = new ExecutorCompletionService<>(pool);
        for (int field = 0; field < fields; field++) {
            int number = field;
            ears.submit(() -> number * number);
        }
        try {
            for (int field = 0; field <= fields; field++) {
                ears.take().get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        new Thread(() -> glean(pool, 5), "t-1").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
