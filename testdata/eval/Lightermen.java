import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Three wait for each ship to be empty, which one unloads piece by piece; a timer writes a page with pauses, most of its time. */
public class Lightermen {
    private volatile CountDownLatch hold = new CountDownLatch(25);
    private volatile int ships;

    private void unload() throws InterruptedException {
        while (true) {
            CountDownLatch now = hold;
            for (int piece = 0; piece < 25; piece++) {
                Thread.sleep(90);
                now.countDown();
            }
            ships++;
            hold = new CountDownLatch(25);
        }
    }

    private void receive() throws InterruptedException {
        while (true) {
            CountDownLatch now = hold;
            if (now.getCount() == 0) {
                Thread.sleep(5);
            } else {
                now.await(10, TimeUnit.SECONDS);
            }
        }
    }

    private interface Part {
        void play() throws InterruptedException;
    }

    private static void start(String name, Part part) {
        new Thread(() -> {
            try {
                part.play();
            } catch (InterruptedException e) {
                System.err.println(e);
            }
        }, name).start();
    }

    public static void main(String[] args) throws Exception {
        Lightermen crew = new Lightermen();
        start("t-1", crew::unload);
        for (int i = 2; i < 5; i++) {
            start("t-" + i, crew::receive);
        }
        new Timer("t-5").schedule(new TimerTask() {
            @Override
            public void run() {
                StringBuilder page = new StringBuilder();
                for (int line = 0; line < 9; line++) {
                    try {
                        Thread.sleep(50);
                    } catch (InterruptedException e) {
                        return;
                    }
                    page.append(crew.ships).append('\n');
                }
            }
        }, 10, 480);
        Thread.sleep(1_200);
        System.out.println("READY");
    }
}
