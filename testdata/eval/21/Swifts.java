import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A hundred thousand virtual threads, each parked in a queue that gets an item now and then. */
public class Swifts {
    private static final LinkedBlockingQueue<Integer> FLIES = new LinkedBlockingQueue<>();

    private static void hunt() {
        long caught = 0;
        try {
            for (;;) {
                caught += FLIES.take();
            }
        } catch (InterruptedException e) {
            System.out.println(caught);
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        CountDownLatch airborne = new CountDownLatch(n);
        for (int i = 0; i < n; i++) {
            Thread.ofVirtual().name("v-", i).start(() -> {
                airborne.countDown();
                hunt();
            });
        }
        airborne.await();
        Thread.sleep(1000);
        System.out.println("READY");
        for (int i = 0; ; i++) {
            FLIES.put(i);
            Thread.sleep(200);
        }
    }
}
