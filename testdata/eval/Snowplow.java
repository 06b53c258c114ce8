import java.util.ArrayList;
import java.util.List;

/** Most of the heap is live, and one thread makes garbage as fast as it can; another one makes little. */
public class Snowplow {
    static class Flake {
        private final long[] arms = new long[30];
        private Flake next;

        Flake(Flake next) {
            this.next = next;
        }
    }

    private final List<Flake> lying = new ArrayList<>();

    private static double full() {
        Runtime rt = Runtime.getRuntime();
        return (double) (rt.totalMemory() - rt.freeMemory()) / rt.maxMemory();
    }

    private void winter(double share) {
        System.gc();
        while (full() < share) {
            for (int i = 0; i < 2000; i++) {
                lying.add(new Flake(null));
            }
        }
    }

    private void storm() {
        Flake drift = null;
        for (long i = 0; i >= 0; i++) {
            drift = new Flake(i % 2000 == 0 ? null : drift);
        }
        lying.add(drift);
    }

    private void breeze() {
        try {
            while (new Flake(null).next == null) {
                Thread.sleep(20);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Snowplow plow = new Snowplow();
        plow.winter(Double.parseDouble(args[0]));
        new Thread(plow::storm, "t-1").start();
        new Thread(plow::breeze, "t-2").start();
        Thread.sleep(700);
        System.out.println("READY");
    }
}
