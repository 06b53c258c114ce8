import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/** A busy server in the small: a virtual thread per job, with short locks, permits, pauses and some computing. */
public class Starlings {
    private static final ReentrantLock PERCH = new ReentrantLock();
    private static final Object ROOST = new Object();
    private static final Semaphore BERRIES = new Semaphore(200);
    private static final Map<Integer, Long> SEEN = new ConcurrentHashMap<>();
    private static long songs;

    private static void forage(int i) {
        try {
            BERRIES.acquire();
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 40));
                long sum = 0;
                for (int k = 0; k < 20_000; k++) {
                    sum += Long.rotateLeft(k * 31L, i & 31);
                }
                SEEN.merge(i % 1000, sum, Long::sum);
            } finally {
                BERRIES.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        PERCH.lock();
        try {
            songs++;
        } finally {
            PERCH.unlock();
        }
        synchronized (ROOST) {
            songs++;
        }
    }

    public static void main(String[] args) throws Exception {
        try (ExecutorService flock = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; ; i++) {
                int job = i;
                flock.submit(() -> forage(job));
                if (i % 10 == 0) {
                    Thread.sleep(5);
                }
                if (i == 200) {
                    System.out.println("READY");
                }
            }
        }
    }
}
