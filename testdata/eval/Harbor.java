import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** One thread holds a monitor and wants a ReentrantLock, the other the reverse. */
public class Harbor {
    private final Lock crane = new ReentrantLock();
    private final Pier pier = new Pier();
    private final CountDownLatch both = new CountDownLatch(2);

    private final class Pier {
        private int ships;

        synchronized void unload() throws InterruptedException {
            ships++;
            arrive();
            crane.lock();
            try {
                ships--;
            } finally {
                crane.unlock();
            }
        }

        synchronized int ships() {
            return ships;
        }
    }

    private final class Inspector implements Runnable {
        @Override
        public void run() {
            crane.lock();
            try {
                arrive();
                System.out.println(count());
            } finally {
                crane.unlock();
            }
        }

        private int count() {
            return pier.ships();
        }
    }

    private void arrive() {
        both.countDown();
        boolean interrupted = false;
        while (both.getCount() > 0) {
            try {
                both.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Harbor harbor = new Harbor();
        new Thread(() -> {
            try {
                harbor.pier.unload();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "t-1").start();
        new Thread(harbor.new Inspector(), "t-2").start();
        harbor.both.await();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
