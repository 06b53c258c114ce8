import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** Two threads each hold a lock, try the other's, give way and start again, for ever in step. */
public class Doorway {
    static class Side {
        final ReentrantLock lock = new ReentrantLock();
        long bows;
    }

    private final Side left = new Side();
    private final Side right = new Side();
    private final CountDownLatch both = new CountDownLatch(2);

    private void pass(Side own, Side other) {
        both.countDown();
        boolean through = false;
        while (!through) {
            own.lock.lock();
            try {
                through = step(own, other);
            } finally {
                own.lock.unlock();
            }
        }
    }

    private boolean step(Side own, Side other) {
        if (other.lock.tryLock()) {
            try {
                return own.bows < 0;
            } finally {
                other.lock.unlock();
            }
        }
        own.bows++;
        Thread.yield();
        return false;
    }

    public static void main(String[] args) throws Exception {
        Doorway doorway = new Doorway();
        new Thread(() -> doorway.pass(doorway.left, doorway.right), "t-1").start();
        new Thread(() -> doorway.pass(doorway.right, doorway.left), "t-2").start();
        doorway.both.await();
        Thread.sleep(400);
        System.out.println("READY");
    }
}
