import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Four tasks meet at a barrier, but their pool has three workers. */
public class Rowers {
    private final CyclicBarrier start = new CyclicBarrier(4);
    private int strokes;

    private void row() {
        try {
            line();
        } catch (InterruptedException | BrokenBarrierException e) {
            Thread.currentThread().interrupt();
        }
        strokes++;
    }

    private void line() throws InterruptedException, BrokenBarrierException {
        start.await();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService boat = Executors.newFixedThreadPool(3);
        Rowers rowers = new Rowers();
        for (int i = 0; i < 4; i++) {
            boat.execute(rowers::row);
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
