import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Two scheduled jobs hold the write lock of one room and want the read lock of the other's. */
public class Gallery {
    static class Room {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private int pictures;

        void rehang(Room like, CountDownLatch both) {
            lock.writeLock().lock();
            try {
                both.countDown();
                both.await();
                pictures = like.pictures();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.writeLock().unlock();
            }
        }

        int pictures() {
            lock.readLock().lock();
            try {
                return pictures;
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
        Room east = new Room();
        Room west = new Room();
        CountDownLatch both = new CountDownLatch(2);
        timer.scheduleAtFixedRate(() -> east.rehang(west, both), 0, 5, TimeUnit.SECONDS);
        timer.scheduleAtFixedRate(() -> west.rehang(east, both), 0, 5, TimeUnit.SECONDS);
        both.await();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
