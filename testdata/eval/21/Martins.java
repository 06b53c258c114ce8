import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** Two virtual threads take two ReentrantLocks in opposite order; a dozen more wait for the first of them. */
public class Martins {
    static class Nest {
        final ReentrantLock door = new ReentrantLock();
        int eggs;
    }

    private static void carry(Nest from, Nest to, CountDownLatch both) {
        from.door.lock();
        try {
            if (both != null) {
                both.countDown();
                both.await();
            }
            drop(to);
            from.eggs--;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            from.door.unlock();
        }
    }

    private static void drop(Nest to) {
        to.door.lock();
        try {
            to.eggs++;
        } finally {
            to.door.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Nest eaves = new Nest();
        Nest barn = new Nest();
        CountDownLatch both = new CountDownLatch(2);
        Thread a = Thread.ofVirtual().name("v-1").start(() -> carry(eaves, barn, both));
        Thread b = Thread.ofVirtual().name("v-2").start(() -> carry(barn, eaves, both));
        both.await();
        Thread.sleep(300);
        for (int i = 3; i < 15; i++) {
            Thread.ofVirtual().name("v-" + i).start(() -> carry(eaves, barn, null));
        }
        Thread.sleep(300);
        System.out.println("READY");
        a.join();
        b.join();
    }
}
