import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Looks an entry up and, if it is not there, writes it: with the lock for readers still taken, in one method. */
public class Registrar {
    private final Map<String, String> entries = new HashMap<>();
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final CountDownLatch looked = new CountDownLatch(2);

    private String entry(String name) throws InterruptedException {
        lock.readLock().lock();
        try {
            String entry = entries.get(name);
            if (entry != null) {
                return entry;
            }
            looked.countDown();
            looked.await();
            lock.writeLock().lock();
            try {
                return entries.computeIfAbsent(name, String::toUpperCase);
            } finally {
                lock.writeLock().unlock();
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    private static Thread start(Registrar registrar, String thread, String name) {
        Thread t = new Thread(() -> {
            try {
                System.err.println(registrar.entry(name));
            } catch (InterruptedException e) {
                System.err.println(name);
            }
        }, thread);
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        Registrar registrar = new Registrar();
        start(registrar, "t-1", "a");
        start(registrar, "t-2", "b");
        Thread.sleep(500);
        System.out.println("READY");
    }
}
