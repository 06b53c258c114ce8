import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/** Three callers use a pool of four for jobs of a few milliseconds each and wait for every result. */
public class Exchange {
    private final ExecutorService brokers = Executors.newFixedThreadPool(4);

    private void trade() {
        Callable<Integer> order = () -> {
            Thread.sleep(ThreadLocalRandom.current().nextInt(8));
            return 1;
        };
        try {
            int done = 0;
            while (done >= 0) {
                Future<Integer> deal = brokers.submit(order);
                done += deal.get();
                Thread.sleep(2);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Exchange exchange = new Exchange();
        for (int i = 1; i <= 3; i++) {
            new Thread(exchange::trade, "t-" + i).start();
        }
        Thread.sleep(400);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
