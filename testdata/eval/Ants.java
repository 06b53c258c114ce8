import java.util.concurrent.CountDownLatch;

/** Every 40 ms a new thread, and none ends. */
public class Ants {
    private static final int MOST = 2000;
    private final CountDownLatch autumn = new CountDownLatch(1);

    private void dig() {
        try {
            autumn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hatch() {
        try {
            for (int i = 1; i <= MOST; i++) {
                new Thread(this::dig, "a-" + i).start();
                Thread.sleep(40);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        new Thread(new Ants()::hatch, "q-1").start();
        Thread.sleep(800);
        System.out.println("READY");
    }
}
