import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Five thousand virtual threads that sleep, wake and sleep again, now and then. */
public class Flock {
    private static void doze(CountDownLatch end) {
        try {
            while (!end.await(ThreadLocalRandom.current().nextInt(2000, 6000), TimeUnit.MILLISECONDS)) {
                Thread.sleep(Duration.ofSeconds(2));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < 5000; i++) {
            Thread.ofVirtual().name("v-", i).start(() -> doze(end));
        }
        Thread.sleep(1000);
        System.out.println("READY");
        end.await();
    }
}
