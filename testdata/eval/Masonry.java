import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Semaphore;

/** Threads meet at a barrier, swap buffers and share permits, many times a second. */
public class Masonry {
    private final CyclicBarrier course = new CyclicBarrier(3);
    private final Exchanger<int[]> mortar = new Exchanger<>();
    private final Semaphore ladders = new Semaphore(1);

    private void lay() {
        try {
            while (true) {
                ladders.acquire();
                Thread.yield();
                ladders.release();
                Thread.sleep(5);
                course.await();
            }
        } catch (InterruptedException | BrokenBarrierException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void mix() {
        try {
            int[] trough = new int[16];
            while (trough.length > 0) {
                trough = mortar.exchange(trough);
                trough[0]++;
                Thread.sleep(4);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Masonry masonry = new Masonry();
        for (int i = 1; i <= 5; i++) {
            new Thread(i <= 3 ? masonry::lay : masonry::mix, "t-" + i).start();
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
