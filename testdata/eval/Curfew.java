import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The JVM was asked to exit, but a shutdown hook waits for a pool whose job does not end. */
public class Curfew {
    private final ExecutorService watch = Executors.newFixedThreadPool(2);

    private void patrol() {
        while (true) {
            try {
                TimeUnit.HOURS.sleep(1);
            } catch (InterruptedException e) {
                Thread.interrupted();
            }
        }
    }

    private void close() {
        watch.shutdown();
        System.out.println("READY");
        try {
            watch.awaitTermination(5, TimeUnit.DAYS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Curfew curfew = new Curfew();
        curfew.watch.execute(curfew::patrol);
        Runtime.getRuntime().addShutdownHook(new Thread(curfew::close, "h-1"));
        Thread.sleep(200);
        System.exit(0);
    }
}
