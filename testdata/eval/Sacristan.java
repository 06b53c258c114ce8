import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** One thread looks something up and wants to add it while it still reads; another counts in the same class, with pauses. */
public class Sacristan {
    private final Map<String, Integer> candles = new HashMap<>();
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private volatile int steps;

    int light(String name) {
        lock.readLock().lock();
        try {
            Integer number = candles.get(name);
            if (number != null) {
                return number;
            }
            lock.writeLock().lock();
            try {
                candles.put(name, candles.size());
                return candles.size();
            } finally {
                lock.writeLock().unlock();
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    void walk() {
        try {
            while (true) {
                steps++;
                Thread.sleep(40);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Sacristan sacristan = new Sacristan();
        new Thread(sacristan::walk, "t-1").start();
        Thread lights = new Thread(() -> System.err.println(sacristan.light("altar")), "t-2");
        lights.start();
        Thread.sleep(400);
        System.out.println("READY");
        lights.join();
    }
}
