import java.util.concurrent.Semaphore;

/** Each fifth of 40 threads waits for a permit. The others take another branch, and sleep behind the acquire. */
final class Branch {
    private static final int THREADS = 40;
    private static final int EACH = 5;
    private static final Semaphore PERMITS = new Semaphore(0);

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < THREADS; i++) {
            boolean asks = i % EACH == 0;
            new Thread(() -> order(asks), "order-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void order(boolean asks) {
        try {
            if (asks) {
                PERMITS.acquire();
            }
            work();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void work() throws InterruptedException {
        Thread.sleep(Long.MAX_VALUE);
    }
}
