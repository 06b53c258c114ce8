import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A class's static initialiser waits for a task that needs the class. */
public class Astrolabe {
    static class Rings {
        static final long TOTAL;

        static {
            ExecutorService crew = Executors.newFixedThreadPool(2);
            Future<Long> sum = crew.submit(Rings::engrave);
            try {
                TOTAL = sum.get();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        static long engrave() {
            long sum = 0;
            for (int i = 0; i < 360; i++) {
                sum += i;
            }
            return sum;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread smith = new Thread(() -> System.out.println(Rings.TOTAL), "smith");
        smith.start();
        Thread.sleep(1000);
        System.out.println("READY");
        smith.join();
    }
}
