import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** One tries for the bench again and again with a short pause after each try, until the other is through; a third waits for its boots. */
public class Cobbler {
    private final ReentrantLock bench = new ReentrantLock();
    private final AtomicInteger tries = new AtomicInteger();

    private String mend() {
        while (!bench.tryLock()) {
            tries.incrementAndGet();
            LockSupport.parkNanos(1_000);
        }
        try {
            return "boots after " + tries;
        } finally {
            bench.unlock();
        }
    }

    private void sole() {
        bench.lock();
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            bench.unlock();
        }
    }

    private static String collect(FutureTask<String> boots) throws Exception {
        return boots.get();
    }

    public static void main(String[] args) throws Exception {
        Cobbler shop = new Cobbler();
        FutureTask<String> boots = new FutureTask<>(shop::mend);
        new Thread(shop::sole, "t-1").start();
        Thread.sleep(200);
        new Thread(boots, "t-2").start();
        new Thread(() -> {
            try {
                System.out.println(collect(boots));
            } catch (Exception e) {
                System.err.println(e);
            }
        }, "t-3").start();
        Thread.sleep(1_000);
        System.out.println("READY");
    }
}
