import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Six workers do the same work on one core, each of them waiting for it most of the time. */
public class Oxen {
    private static int pull(int cart) {
        int tired = cart;
        while (tired < Integer.MAX_VALUE) {
            tired = step(tired);
        }
        return tired;
    }

    private static int step(int tired) {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += ThreadLocalRandom.current().nextInt(7);
        }
        return (tired + sum) % 1_000_003;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService yoke = Executors.newFixedThreadPool(6);
        for (int i = 0; i < 6; i++) {
            int cart = i;
            yoke.submit(() -> pull(cart));
        }
        Thread.sleep(800);
        System.out.println("READY");
    }
}
