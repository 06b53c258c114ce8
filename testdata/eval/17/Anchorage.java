import java.util.concurrent.CountDownLatch;

/** A thread that only keeps the JVM alive; main has ended. */
public class Anchorage {
    public static void main(String[] args) throws Exception {
        Thread anchor = new Thread(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "t-1");
        anchor.setDaemon(false);
        anchor.start();
        Thread.sleep(500);
        System.out.println("READY");
    }
}
