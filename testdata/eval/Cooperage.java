import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Three bring staves to a short bench; the only one who takes them asks a yard again and again that has no room, with a longer pause each time. */
public class Cooperage {
    static class Yard {
        private long asked;

        void store(long stave) throws InterruptedException {
            for (int again = 1; !hasRoom() && again < 4; again++) {
                Thread.sleep(150L * again);
            }
        }

        private boolean hasRoom() {
            return asked++ % 5 == 4;
        }
    }

    static class Cooper implements Runnable {
        private final BlockingQueue<Long> bench;
        private final Yard yard = new Yard();

        Cooper(BlockingQueue<Long> bench) {
            this.bench = bench;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    yard.store(bench.take());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Sawyer implements Runnable {
        private final BlockingQueue<Long> bench;

        Sawyer(BlockingQueue<Long> bench) {
            this.bench = bench;
        }

        @Override
        public void run() {
            try {
                for (long n = 0; ; n++) {
                    bench.put(n);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Long> bench = new ArrayBlockingQueue<>(8);
        new Thread(new Cooper(bench), "u").start();
        for (int i = 1; i <= 3; i++) {
            new Thread(new Sawyer(bench), "t-" + i).start();
        }
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
