import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Three of four parties wait at a barrier; the fourth has left the loop early. */
public class Quartet {
    private final CyclicBarrier bar = new CyclicBarrier(4);
    private final double[] notes = new double[4];

    private void play(int part, int bars) {
        try {
            for (int i = 0; i < bars; i++) {
                notes[part] += Math.sin(i);
                beat();
            }
        } catch (InterruptedException | BrokenBarrierException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void beat() throws InterruptedException, BrokenBarrierException {
        bar.await();
    }

    public static void main(String[] args) throws Exception {
        Quartet quartet = new Quartet();
        for (int i = 0; i < 4; i++) {
            int part = i;
            new Thread(() -> quartet.play(part, part == 3 ? 99 : 100), "h" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
