import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Producers and consumers pass items briskly through a short queue that is now full, now empty. */
public class Brigade {
    private final BlockingQueue<int[]> chain = new ArrayBlockingQueue<>(4);
    private volatile long moved;

    private void fill() {
        try {
            for (int i = 0; ; i++) {
                chain.put(new int[] {i});
                Thread.sleep(i % 8 == 0 ? 3 : 0, 200_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void empty() {
        try {
            while (true) {
                moved += chain.take()[0];
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Brigade brigade = new Brigade();
        for (int i = 1; i <= 2; i++) {
            new Thread(brigade::fill, "t-" + i).start();
            new Thread(brigade::empty, "t-" + (i + 2)).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
