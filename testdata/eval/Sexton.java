import java.util.Timer;
import java.util.TimerTask;

/** A timer whose task throws is gone; three threads go on waiting for the notify that it gave. Main is over. */
public class Sexton {
    private static final Object HOUR = new Object();
    private static int strokes;

    private static void work() throws InterruptedException {
        while (true) {
            synchronized (HOUR) {
                HOUR.wait();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> {
                try {
                    work();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "t-" + i).start();
        }
        new Timer("bell").schedule(new TimerTask() {
            @Override
            public void run() {
                if (++strokes == 5) {
                    throw new IllegalStateException("the rope broke");
                }
                synchronized (HOUR) {
                    HOUR.notifyAll();
                }
            }
        }, 50, 50);
        Thread.sleep(800);
        System.out.println("READY");
    }
}
