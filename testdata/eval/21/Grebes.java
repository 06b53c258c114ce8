import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** One virtual thread sleeps for hours with a lock; two hundred others wait for it. */
public class Grebes {
    private static final ReentrantLock REED = new ReentrantLock();

    private static void nest() {
        REED.lock();
        try {
            TimeUnit.HOURS.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            REED.unlock();
        }
    }

    private static void land() {
        REED.lock();
        try {
            System.out.println("landed");
        } finally {
            REED.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread.ofVirtual().name("v-0").start(Grebes::nest);
        Thread.sleep(200);
        for (int i = 1; i <= 200; i++) {
            Thread.ofVirtual().name("v-" + i).start(Grebes::land);
        }
        Thread.sleep(300);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
