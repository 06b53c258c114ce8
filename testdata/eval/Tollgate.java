import java.util.concurrent.Semaphore;

/** The owner of a monitor waits for a permit; those who have the permits sleep. Others want the monitor. */
public class Tollgate {
    private final Semaphore tokens = new Semaphore(2);
    private int passed;

    private void collect() throws InterruptedException {
        tokens.acquire();
        try {
            count();
        } finally {
            tokens.release();
        }
    }

    private void count() throws InterruptedException {
        Thread.sleep(3_600_000);
    }

    private synchronized void pass(boolean pays) throws InterruptedException {
        passed++;
        if (pays) {
            collect();
        }
    }

    private interface Step {
        void go() throws InterruptedException;
    }

    private static void start(String name, Step step) throws InterruptedException {
        new Thread(() -> {
            try {
                step.go();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name).start();
        Thread.sleep(200);
    }

    public static void main(String[] args) throws Exception {
        Tollgate gate = new Tollgate();
        start("t-1", gate::collect);
        start("t-2", gate::collect);
        start("t-3", () -> gate.pass(true));
        start("t-4", () -> gate.pass(false));
        start("t-5", () -> gate.pass(false));
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
