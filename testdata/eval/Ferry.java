import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Two pools whose workers all wait for tasks queued in the other one. */
public class Ferry {
    private final ExecutorService east = Executors.newFixedThreadPool(2, named("a-"));
    private final ExecutorService west = Executors.newFixedThreadPool(2, named("b-"));

    static ThreadFactory named(String prefix) {
        AtomicInteger next = new AtomicInteger();
        return r -> new Thread(r, prefix + next.incrementAndGet());
    }

    private int cross(ExecutorService other, int depth) throws Exception {
        if (depth == 0) {
            return 1;
        }
        TimeUnit.MILLISECONDS.sleep(100);
        Future<Integer> back = other.submit(() -> cross(other == east ? west : east, depth - 1));
        return 1 + back.get();
    }

    public static void main(String[] args) throws Exception {
        Ferry ferry = new Ferry();
        for (int i = 0; i < 2; i++) {
            ferry.east.submit(() -> ferry.cross(ferry.west, 2));
            ferry.west.submit(() -> ferry.cross(ferry.east, 2));
        }
        Thread.sleep(600);
        System.out.println("READY");
    }
}
