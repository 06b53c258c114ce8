import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** One of thirty virtual threads goes without giving the lock back; those behind it wait. */
public class Crakes {
    private static final ReentrantLock SEDGE = new ReentrantLock();

    private static void wade(int n) throws InterruptedException {
        SEDGE.lock();
        Thread.sleep(10);
        if (n == 15) {
            throw new IllegalStateException("too deep");
        }
        SEDGE.unlock();
    }

    public static void main(String[] args) throws Exception {
        try (var waders = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 30; i++) {
                int n = i;
                waders.submit(() -> {
                    wade(n);
                    return n;
                });
            }
            Thread.sleep(1000);
            System.out.println("READY");
        }
    }
}
