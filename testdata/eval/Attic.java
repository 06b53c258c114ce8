import java.util.ArrayList;
import java.util.List;

/** A finalize method wants a monitor that a sleeping thread holds. */
public class Attic {
    private static final Object STAIRS = new Object();
    private static final List<Integer> FOUND = new ArrayList<>();

    static class Trunk {
        private final int weight;

        Trunk(int weight) {
            this.weight = weight;
        }

        @Override
        protected void finalize() {
            register(weight);
        }
    }

    private static void register(int weight) {
        synchronized (STAIRS) {
            FOUND.add(weight);
        }
    }

    private static void sweep() {
        synchronized (STAIRS) {
            for (int step = 0; step < 1_000; step++) {
                rest();
            }
        }
    }

    private static void rest() {
        try {
            Thread.sleep(30_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        new Thread(Attic::sweep, "t-1").start();
        Thread.sleep(200);
        for (int i = 0; i < 8; i++) {
            new Trunk(i);
        }
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(200);
        }
        System.out.println("READY");
    }
}
