import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The six workers of an executor take one lock by turns, and have nothing to do in between. */
final class Turns {
    private static final int WORKERS = 6;
    private static int named;

    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(WORKERS, WORKERS, 1, TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(), task -> new Thread(task, "exec-" + ++named));
        System.out.println("READY");
        while (true) {
            for (int i = 0; i < WORKERS; i++) {
                pool.execute(Turns::work);
            }
            Thread.sleep(1900);
        }
    }

    private static synchronized void work() {
        try {
            Thread.sleep(150);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
