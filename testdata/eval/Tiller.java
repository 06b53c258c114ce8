import java.util.concurrent.locks.StampedLock;

/** One thread takes a StampedLock, which is not reentrant, a second time; others queue up. */
public class Tiller {
    private final StampedLock lock = new StampedLock();
    private double heading;

    void steer(double to) {
        long stamp = lock.writeLock();
        try {
            heading = to;
            if (to > 180) {
                trim(to - 360);
            }
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    private void trim(double to) {
        long stamp = lock.writeLock();
        try {
            heading = to;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    double heading() {
        long stamp = lock.readLock();
        try {
            return heading;
        } finally {
            lock.unlockRead(stamp);
        }
    }

    public static void main(String[] args) throws Exception {
        Tiller tiller = new Tiller();
        new Thread(() -> tiller.steer(270), "t-1").start();
        Thread.sleep(300);
        new Thread(() -> tiller.steer(90), "t-2").start();
        new Thread(() -> System.out.println(tiller.heading()), "t-3").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
