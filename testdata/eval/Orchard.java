import java.util.concurrent.Phaser;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Each of two threads holds the read lock of one row and wants the write lock of the other's. */
public class Orchard {
    static class Row {
        final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        int trees = 10;

        void plant() {
            lock.writeLock().lock();
            try {
                trees++;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    static void graft(Row from, Row to, Phaser both) {
        from.lock.readLock().lock();
        try {
            both.arriveAndAwaitAdvance();
            if (from.trees > 0) {
                to.plant();
            }
        } finally {
            from.lock.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Row apples = new Row();
        Row pears = new Row();
        Phaser both = new Phaser(2);
        Thread a = new Thread(() -> graft(apples, pears, both), "t-1");
        Thread b = new Thread(() -> graft(pears, apples, both), "t-2");
        a.start();
        b.start();
        Thread.sleep(500);
        System.out.println("READY");
        a.join();
        b.join();
    }
}
