import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A thread sleeps while it holds a ReentrantLock; three others wait in lock. */
public class Tailor {
    private final ReentrantLock bench = new ReentrantLock();
    private int suits;

    void sew(int minutes) {
        bench.lock();
        try {
            press(minutes);
            suits++;
        } finally {
            bench.unlock();
        }
    }

    private void press(int minutes) {
        try {
            TimeUnit.MINUTES.sleep(minutes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Tailor tailor = new Tailor();
        new Thread(() -> tailor.sew(120), "t-1").start();
        Thread.sleep(200);
        for (int i = 2; i <= 4; i++) {
            new Thread(() -> tailor.sew(1), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
