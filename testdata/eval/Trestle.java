import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The only permit of a semaphore is with a thread that waits for a monitor; the one that has the monitor rests. */
public class Trestle {
    private final Semaphore span = new Semaphore(1);
    private final Object plank = new Object();

    private void carry() {
        synchronized (plank) {
            rest();
        }
    }

    private void rest() {
        try {
            TimeUnit.HOURS.sleep(3);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cross() {
        span.acquireUninterruptibly();
        try {
            lay();
        } finally {
            span.release();
        }
    }

    private void lay() {
        synchronized (plank) {
            System.err.println("laid");
        }
    }

    public static void main(String[] args) throws Exception {
        Trestle trestle = new Trestle();
        new Thread(trestle::carry, "t-1").start();
        Thread.sleep(100);
        for (int i = 2; i <= 5; i++) {
            new Thread(trestle::cross, "t-" + i).start();
            Thread.sleep(50);
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
