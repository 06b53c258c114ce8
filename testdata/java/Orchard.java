import java.util.concurrent.ForkJoinPool;

/** Two pickers of a fork-join pool wait for the rain to end, and five trees wait for a picker. */
public class Orchard {
    static void pick() {
        try {
            Thread.sleep(3_600_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pickers = new ForkJoinPool(2);
        for (int i = 0; i < 7; i++) {
            pickers.execute(Orchard::pick);
        }
        System.out.println("ready");
        Thread.sleep(3_600_000);
    }
}
