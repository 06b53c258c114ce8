import java.util.Timer;
import java.util.TimerTask;

/** Each drink is cleared away after three seconds; most of what is made is garbage, and some of that gets old. */
public class Tapster {
    static class Glass extends TimerTask {
        private final int[] drops = new int[600];
        private static volatile int cleared;

        @Override
        public void run() {
            cleared += 1 + drops[5];
        }
    }

    private final Timer rounds = new Timer("t-2", true);

    private void serve() {
        Glass glass = new Glass();
        int[] foam = new int[900];
        for (int i = 0; i < 600; i++)
            foam[i] = glass.drops[i] + i;
        glass.drops[1] = foam[300];
        rounds.schedule(glass, 3000);
    }

    private void work() {
        try {
            while (true) {
                for (int i = 0; i < 30; i++)
                    serve();
                Thread.sleep(7);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Tapster bar = new Tapster();
        Thread keeper = new Thread(bar::work, "t-1");
        keeper.start();
        Thread.sleep(5000);
        System.out.println("READY");
        keeper.join();
    }
}
