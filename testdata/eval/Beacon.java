import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.StampedLock;

/** The write stamp of a StampedLock is held by a thread that pauses for hours; readers wait. */
public class Beacon {
    private final StampedLock lock = new StampedLock();
    private int colour;

    void rotate() {
        long stamp = lock.writeLock();
        try {
            colour++;
            glow();
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    private void glow() {
        long end = System.nanoTime() + 7_200_000_000_000L;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(this, end - System.nanoTime());
        }
    }

    int look() {
        long stamp = lock.tryOptimisticRead();
        int seen = colour;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                seen = colour;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return seen;
    }

    public static void main(String[] args) throws Exception {
        Beacon beacon = new Beacon();
        new Thread(beacon::rotate, "t-1").start();
        Thread.sleep(300);
        for (int i = 2; i <= 4; i++) {
            new Thread(() -> System.out.println(beacon.look()), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
