import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Four readers and a writer share a lock; everybody holds it for microseconds. */
public class Library {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<Integer, Integer> loans = new HashMap<>();
    private final Object desk = new Object();
    private int visits;

    private int look(int book) {
        lock.readLock().lock();
        try {
            return loans.getOrDefault(book, 0);
        } finally {
            lock.readLock().unlock();
        }
    }

    private void lend(int book) {
        lock.writeLock().lock();
        try {
            loans.merge(book % 100, 1, Integer::sum);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void visit(boolean writer) {
        try {
            for (int i = 0; ; i++) {
                if (writer) {
                    lend(i);
                } else {
                    look(i % 100);
                }
                synchronized (desk) {
                    visits++;
                }
                if (i % 50 == 0) {
                    Thread.sleep(2);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Library library = new Library();
        for (int i = 1; i <= 5; i++) {
            boolean writer = i == 5;
            new Thread(() -> library.visit(writer), "t-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
