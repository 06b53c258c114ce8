import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Housekeeping threads: one waits for references, one for a condition that a request sets every 150 ms. */
public class Watchman {
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
    private final Lock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private int open;

    private void sweep() {
        try {
            while (gone.remove() != null) {
                open--;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        lock.lock();
        try {
            while (true) {
                while (open == 0) {
                    work.await();
                }
                open--;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void request() {
        lock.lock();
        try {
            open++;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Watchman man = new Watchman();
        PhantomReference<Object> ghost = new PhantomReference<>(man, man.gone);
        Thread sweeper = new Thread(man::sweep, "t-1");
        sweeper.setDaemon(true);
        sweeper.start();
        new Thread(man::serve, "t-2").start();
        Thread.sleep(300);
        System.out.println("READY");
        while (!ghost.isEnqueued()) {
            man.request();
            Thread.sleep(150);
        }
    }
}
