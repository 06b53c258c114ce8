import java.util.concurrent.CountDownLatch;

/** A virtual thread and a platform thread take two monitors in opposite order. */
public class Dippers {
    private static void cross(Object near, Object far, CountDownLatch both) {
        synchronized (near) {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            ford(far);
        }
    }

    private static void ford(Object far) {
        synchronized (far) {
            System.out.println("across");
        }
    }

    public static void main(String[] args) throws Exception {
        Object weir = new Object();
        Object mill = new Object();
        CountDownLatch both = new CountDownLatch(2);
        Thread v = Thread.ofVirtual().name("v-1").start(() -> cross(weir, mill, both));
        Thread t = new Thread(() -> cross(mill, weir, both), "t-1");
        t.start();
        both.await();
        Thread.sleep(300);
        System.out.println("READY");
        v.join();
        t.join();
    }
}
