import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** One thread wants the write lock while it holds the read lock; readers queue up behind it. */
public class Almanac {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Integer> days = new HashMap<>();

    int lookup(String key) {
        lock.readLock().lock();
        try {
            Integer day = days.get(key);
            return day != null ? day : learn(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    private int learn(String key) {
        lock.writeLock().lock();
        try {
            days.put(key, key.length());
            return key.length();
        } finally {
            lock.writeLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Almanac almanac = new Almanac();
        almanac.days.put("spring", 80);
        new Thread(() -> almanac.lookup("winter"), "t-1").start();
        Thread.sleep(300);
        for (int i = 2; i < 5; i++) {
            new Thread(() -> almanac.lookup("spring"), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
