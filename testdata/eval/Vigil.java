import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Two threads await a latch in slices of half a second; the thread that had to count it down has ended. */
public class Vigil {
    private final CountDownLatch dawn = new CountDownLatch(2);

    private void watch() {
        int hours = 0;
        try {
            while (!dawn.await(500, TimeUnit.MILLISECONDS)) {
                hours++;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.println(hours);
    }

    private void keep() {
        watch();
    }

    public static void main(String[] args) throws Exception {
        Vigil vigil = new Vigil();
        new Thread(vigil.dawn::countDown, "t-1").start();
        Thread a = new Thread(vigil::keep, "t-2");
        Thread b = new Thread(vigil::keep, "t-3");
        a.start();
        b.start();
        Thread.sleep(400);
        System.out.println("READY");
        a.join();
        b.join();
    }
}
