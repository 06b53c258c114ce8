import java.util.concurrent.CountDownLatch;

/** Starts a thread for each bird, which waits for its own return for ever. */
public class Dovecote {
    static void perch(CountDownLatch back) {
        try {
            back.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void land() {
        CountDownLatch back = new CountDownLatch(1);
        Thread t = new Thread(() -> perch(back));
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        for (int n = 0; ; n++) {
            if (n < 1500) {
                land();
            }
            if (n == 40) {
                System.out.println("READY");
            }
            Thread.sleep(30);
        }
    }
}
