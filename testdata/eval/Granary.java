import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** One signal for two kinds of waiters on one condition: the wrong one takes it and waits again. */
public class Granary {
    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int wheat;
    private int rye;

    void millWheat() throws InterruptedException {
        lock.lock();
        try {
            while (wheat == 0) {
                changed.await();
            }
            wheat--;
        } finally {
            lock.unlock();
        }
    }

    void millRye() throws InterruptedException {
        lock.lock();
        try {
            while (rye == 0) {
                changed.await();
            }
            rye--;
        } finally {
            lock.unlock();
        }
    }

    void storeRye() {
        lock.lock();
        try {
            rye++;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    interface Work {
        void go() throws InterruptedException;
    }

    static void start(String name, Work work) throws InterruptedException {
        new Thread(() -> {
            try {
                work.go();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name).start();
        Thread.sleep(150);
    }

    public static void main(String[] args) throws Exception {
        Granary granary = new Granary();
        start("t-1", granary::millWheat);
        start("t-2", granary::millRye);
        granary.storeRye();
        Thread.sleep(200);
        System.out.println("READY");
    }
}
