import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Two bring logs to a short ramp and wait there most of the time: the mill behind it needs a while for each, and works. */
public class Weir {
    static long plane(long log) {
        long rings = 1;
        long until = System.nanoTime() + 200_000_000L;
        while (System.nanoTime() < until) {
            for (int i = 0; i < 1000; i++) {
                rings = rings * 31 + log;
            }
        }
        return rings;
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Long> ramp = new ArrayBlockingQueue<>(4);
        new Thread(() -> {
            try {
                for (long boards = 0; ; ) {
                    boards += plane(ramp.take());
                    Thread.sleep(300);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "u").start();
        for (int i = 1; i <= 2; i++) {
            new Thread(() -> {
                try {
                    for (long log = 0; ; log++) {
                        ramp.put(log);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "t-" + i).start();
        }
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
