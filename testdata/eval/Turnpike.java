import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Both workers wait for futures that only they could complete, while main sleeps and others want permits. */
public class Turnpike {
    private final ExecutorService lanes = Executors.newFixedThreadPool(2);
    private final Semaphore passes = new Semaphore(0);

    int toll(int wagon) {
        CompletableFuture<Integer> weight = CompletableFuture.supplyAsync(() -> wagon * 7, lanes);
        return 2 + weight.join();
    }

    void wagon(int n) {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            return;
        }
        System.out.println(toll(n));
    }

    void walk() {
        passes.acquireUninterruptibly();
        System.out.println("through");
    }

    public static void main(String[] args) throws Exception {
        Turnpike turnpike = new Turnpike();
        for (int i = 0; i < 4; i++) {
            int n = i;
            turnpike.lanes.execute(() -> turnpike.wagon(n));
        }
        for (int i = 1; i <= 2; i++) {
            new Thread(turnpike::walk, "t-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
        Thread.sleep(3_600_000);
    }
}
