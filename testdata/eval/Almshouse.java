import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** All three workers wait for what they have handed to their own executor; a thread hands in one more task now and then. */
public class Almshouse {
    private static final ExecutorService POOL = Executors.newFixedThreadPool(3);
    private static final CountDownLatch SEATED = new CountDownLatch(3);

    static class Supper {
        private final int guests;

        Supper(int guests) {
            this.guests = guests;
        }

        int bread() {
            return guests * 2;
        }

        int soup() {
            return guests;
        }

        int serve() throws ExecutionException, InterruptedException {
            SEATED.countDown();
            SEATED.await();
            CompletableFuture<Integer> bread = CompletableFuture.supplyAsync(this::bread, POOL);
            CompletableFuture<Integer> soup = CompletableFuture.supplyAsync(this::soup, POOL);
            return bread.get() + soup.get();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread porter = new Thread(() -> {
            for (int i = 1; ; i++) {
                Supper supper = new Supper(i);
                POOL.submit(supper::serve);
                pause(i < 10 ? 0 : 1700);
            }
        }, "t-1");
        porter.start();
        pause(1000);
        System.out.println("READY");
        porter.join();
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
