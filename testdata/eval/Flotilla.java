import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Six workers share the parts of one computation, round after round, on the only core the process may use. */
public class Flotilla {
    static double leg(long seed) {
        double sum = 0;
        for (int i = 1; sum < 3.4e9; i++) {
            sum += Math.sqrt(seed ^ i);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(6);
        Thread mate = new Thread(() -> {
            double all = 0;
            while (all < Double.MAX_VALUE) {
                List<Future<Double>> legs = new ArrayList<>();
                for (long i = 0; i < 60; i++) {
                    long seed = i;
                    legs.add(pool.submit(() -> leg(seed)));
                }
                for (Future<Double> f : legs) {
                    try {
                        all = Math.max(all, f.get());
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }, "t-1");
        mate.start();
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
