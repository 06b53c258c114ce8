import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Two wait for air and one for iron, each at a condition that only the other signals; a scheduler ticks, main joins one. */
public class Bellows {
    static class Forge {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition air = lock.newCondition();
        private final Condition iron = lock.newCondition();
        private int breaths;

        void blow() throws InterruptedException {
            lock.lock();
            try {
                iron.await();
                breaths++;
                air.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void heat() throws InterruptedException {
            lock.lock();
            try {
                iron.signal();
                while (breaths == 0) {
                    air.await();
                }
                breaths--;
            } finally {
                lock.unlock();
            }
        }
    }

    interface Step {
        void take() throws InterruptedException;
    }

    static Thread start(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.take();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.start();
        return t;
    }

    private static volatile long ticks;

    public static void main(String[] args) throws Exception {
        Forge forge = new Forge();
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        clock.scheduleAtFixedRate(() -> ticks++, 100, 100, TimeUnit.MILLISECONDS);
        Thread first = start("t-1", forge::heat);
        start("t-2", forge::heat);
        Thread.sleep(500);
        start("u", forge::blow);
        Thread.sleep(500);
        System.out.println("READY");
        first.join();
    }
}
