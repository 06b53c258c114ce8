import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Granaries HOW: the keeper holds the lock of the books and waits for a latch that two carters count down. Both want that
 * lock (all), or one of them has gone another way (one).
 */
public class Granaries {
    private final Object books = new Object();
    private final ExecutorService carters = Executors.newFixedThreadPool(3);

    void keep(boolean all) throws InterruptedException {
        CountDownLatch loads = new CountDownLatch(2);
        synchronized (books) {
            for (int i = 0; i < 2; i++) {
                boolean enters = all || i > 0;
                carters.execute(() -> {
                    if (enters) {
                        enter();
                    } else {
                        rest();
                    }
                    loads.countDown();
                });
            }
            loads.await();
        }
    }

    private void enter() {
        synchronized (books) {
            System.out.println("entered");
        }
    }

    private void rest() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        new Granaries().keep(args[0].equals("all"));
    }
}
