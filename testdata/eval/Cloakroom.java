import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A bulkhead of two permits whose holders sleep; five more calls wait for a permit. */
public class Cloakroom {
    static class Limit {
        private final Semaphore permits;

        Limit(int permits) {
            this.permits = new Semaphore(permits, true);
        }

        <T> T call(Callable<T> body) throws Exception {
            permits.acquire();
            try {
                return body.call();
            } finally {
                permits.release();
            }
        }
    }

    private final Limit limit = new Limit(2);

    void visit(int hours) {
        try {
            limit.call(() -> hang(hours));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static int hang(int hours) throws InterruptedException {
        TimeUnit.HOURS.sleep(hours);
        return hours;
    }

    public static void main(String[] args) throws Exception {
        Cloakroom room = new Cloakroom();
        for (int i = 1; i <= 7; i++) {
            new Thread(() -> room.visit(3), "h" + i).start();
            Thread.sleep(50);
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
