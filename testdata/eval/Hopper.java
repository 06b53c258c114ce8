import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Producers offer with a time limit, again and again, to a queue whose consumer needs 20 s per item. */
public class Hopper {
    private final ArrayBlockingQueue<Long> grain = new ArrayBlockingQueue<>(3);

    boolean fill() throws InterruptedException {
        return grain.offer(System.nanoTime(), 15, TimeUnit.SECONDS);
    }

    void grind(long sack) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() - until < 0) {
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private void mill() {
        try {
            while (true) {
                grind(grain.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void field() {
        int lost = 0;
        try {
            while (lost >= 0) {
                if (!fill()) {
                    lost++;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Hopper hopper = new Hopper();
        new Thread(hopper::mill, "t-1").start();
        for (int i = 2; i <= 4; i++) {
            new Thread(hopper::field, "t-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
