import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;

/** Rounds that each is gathered into a list and given a thread of its own; a day begins when all have loaded, and one more is counted than goes. */
public class Carters {
    static class Round implements Runnable {
        private final Phaser day;
        private final int stops;
        private int served;

        Round(Phaser day, int stops) {
            this.day = day;
            this.stops = stops;
        }

        @Override
        public void run() {
            while (served < stops) {
                load();
                served++;
            }
        }

        private void load() {
            day.arriveAndAwaitAdvance();
        }
    }

    public static void main(String[] args) throws Exception {
        int carts = 4;
        Phaser day = new Phaser(carts);
        List<Round> rounds = new ArrayList<>();
        for (int i = 1; i < carts; i++)
            rounds.add(new Round(day, 5));
        List<Thread> threads = new ArrayList<>();
        for (Round round : rounds)
            threads.add(new Thread(round, "t-" + (threads.size() + 1)));
        for (Thread thread : threads)
            thread.start();
        Thread.sleep(500);
        System.out.println("READY");
        for (Thread thread : threads)
            thread.join();
    }
}
