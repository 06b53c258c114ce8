import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** A pool of 300 threads, started in advance and idle. */
public class Barracks {
    public static void main(String[] args) throws Exception {
        ExecutorService garrison = Executors.newFixedThreadPool(300);
        ((ThreadPoolExecutor) garrison).prestartAllCoreThreads();
        for (int i = 0; i < 20; i++) {
            garrison.execute(() -> Thread.yield());
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
