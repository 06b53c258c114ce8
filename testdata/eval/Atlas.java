import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

/** Two pool workers take two ReentrantLocks in opposite order; main waits for their results. */
public class Atlas {
    private final ReentrantLock north = new ReentrantLock();
    private final ReentrantLock south = new ReentrantLock(true);
    private final CyclicBarrier both = new CyclicBarrier(2);

    private int measure(ReentrantLock first, ReentrantLock second) throws Exception {
        first.lock();
        try {
            both.await();
            return combine(second);
        } finally {
            first.unlock();
        }
    }

    private int combine(ReentrantLock second) {
        second.lock();
        try {
            return second.getHoldCount();
        } finally {
            second.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Atlas atlas = new Atlas();
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Callable<Integer>> jobs = new ArrayList<>();
        jobs.add(() -> atlas.measure(atlas.north, atlas.south));
        jobs.add(() -> atlas.measure(atlas.south, atlas.north));
        List<Future<Integer>> results = new ArrayList<>();
        for (Callable<Integer> job : jobs) {
            results.add(pool.submit(job));
        }
        Thread.sleep(400);
        System.out.println("READY");
        for (Future<Integer> result : results) {
            System.out.println(result.get());
        }
    }
}
