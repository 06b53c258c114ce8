import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** main starts a program that works and waits for it to end; a thread reads what it says. */
public class Kitchen {
    private static void listen(Process oven) {
        try {
            for (int c = oven.getInputStream().read(); c >= 0; c = oven.getInputStream().read()) {
                System.err.write(c);
            }
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService cooks = Executors.newFixedThreadPool(2);
        ((ThreadPoolExecutor) cooks).prestartAllCoreThreads();
        Process oven = new ProcessBuilder("sh", "-c", "while :; do sleep 0.2; done").start();
        Thread t = new Thread(() -> listen(oven), "t-1");
        t.start();
        Thread.sleep(200);
        System.out.println("READY");
        System.exit(oven.waitFor());
    }
}
