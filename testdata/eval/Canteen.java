import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** An object pool on a lock and a condition whose objects were never given back; borrowers wait in slices. */
public class Canteen {
    static class Trays {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition returned = lock.newCondition();
        private final Deque<StringBuilder> stack = new ArrayDeque<>();

        Trays(int count) {
            for (int i = 0; i < count; i++) {
                stack.push(new StringBuilder());
            }
        }

        StringBuilder acquire() throws InterruptedException {
            lock.lock();
            try {
                while (stack.isEmpty()) {
                    returned.await(10, TimeUnit.SECONDS);
                }
                return stack.pop();
            } finally {
                lock.unlock();
            }
        }

        void release(StringBuilder tray) {
            lock.lock();
            try {
                stack.push(tray);
                returned.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    private final Trays trays = new Trays(4);

    private int lunch(int dishes) throws InterruptedException {
        StringBuilder tray = trays.acquire();
        tray.setLength(0);
        if (dishes == 0) {
            return 0;
        }
        tray.append(dishes);
        trays.release(tray);
        return tray.length();
    }

    public static void main(String[] args) throws Exception {
        Canteen canteen = new Canteen();
        ExecutorService pool = Executors.newFixedThreadPool(5);
        for (int i = 0; i < 20; i++) {
            int dishes = i % 2;
            pool.submit(() -> canteen.lunch(dishes));
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
