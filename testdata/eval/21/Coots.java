import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Four virtual threads keep all permits and sleep; fifty others wait for one. */
public class Coots {
    private static final Semaphore REEDS = new Semaphore(4);

    private static void breed(boolean first) throws InterruptedException {
        REEDS.acquire();
        try {
            if (first) {
                brood();
            }
        } finally {
            REEDS.release();
        }
    }

    private static void brood() throws InterruptedException {
        TimeUnit.HOURS.sleep(1);
    }

    private static void start(String name, boolean first) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                breed(first);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 4; i++) {
            start("v-" + i, true);
        }
        Thread.sleep(300);
        for (int i = 4; i < 54; i++) {
            start("v-" + i, false);
        }
        Thread.sleep(300);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
