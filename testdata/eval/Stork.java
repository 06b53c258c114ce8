import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A thread tries a lock without waiting, over and over; its owner sleeps. */
public class Stork {
    private final ReentrantLock chimney = new ReentrantLock();

    private void nest() {
        chimney.lock();
        try {
            TimeUnit.HOURS.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            chimney.unlock();
        }
    }

    private void circle() {
        int rounds = 0;
        while (!chimney.tryLock()) {
            rounds++;
        }
        System.out.println(rounds);
    }

    public static void main(String[] args) throws Exception {
        Stork stork = new Stork();
        new Thread(stork::nest, "t-1").start();
        Thread.sleep(200);
        new Thread(stork::circle, "t-2").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
