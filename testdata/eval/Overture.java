/** A class's static initialiser takes hours; every thread that touches the class waits for it. */
public class Overture {
    static class Score {
        static final int BARS = load();

        private static int load() {
            int bars = 0;
            while (bars < 100_000) {
                bars += page();
            }
            return bars;
        }

        private static int page() {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 1;
        }

        static int bars() {
            return BARS;
        }
    }

    static void play() {
        System.out.println(Score.bars());
    }

    public static void main(String[] args) throws Exception {
        new Thread(Overture::play, "t-1").start();
        Thread.sleep(300);
        for (int i = 2; i <= 4; i++) {
            new Thread(Overture::play, "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
