import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** A thread that is no daemon keeps the program up in a latch, as containers do; main is over and the workers have nothing to do. */
public class Nightjar {
    private final CountDownLatch dawn = new CountDownLatch(1);

    private void perch() {
        try {
            dawn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Nightjar nightjar = new Nightjar();
        ExecutorService wings = Executors.newFixedThreadPool(3, r -> {
            Thread t = new Thread(r);
            t.setDaemon(true);
            return t;
        });
        ((ThreadPoolExecutor) wings).prestartAllCoreThreads();
        Runtime.getRuntime().addShutdownHook(new Thread(nightjar.dawn::countDown));
        new Thread(nightjar::perch, "keeper").start();
        Thread.sleep(200);
        System.out.println("READY");
    }
}
