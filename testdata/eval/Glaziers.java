import java.util.concurrent.CompletableFuture;

/** One cuts glass, pane by pane with a rest after each, and tells when all are cut; one waits for that, another for a notify at the end of a kiln's long day. */
public class Glaziers {
    abstract static class Work implements Runnable {
        private int done;

        abstract void end();

        @Override
        public void run() {
            try {
                for (; done < 5000; done++) {
                    part(done);
                    Thread.sleep(140);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            end();
        }

        private static String part(int n) {
            StringBuilder marks = new StringBuilder();
            for (int i = 0; i < 15000; i++)
                marks.append((char) ('a' + (i ^ n) % 20));
            return marks.reverse().toString();
        }
    }

    static class Cutting extends Work {
        final CompletableFuture<String> cut = new CompletableFuture<>();

        @Override
        void end() {
            cut.complete("panes");
        }
    }

    static class Kiln extends Work {
        private boolean cold;

        @Override
        synchronized void end() {
            cold = true;
            notifyAll();
        }

        synchronized void untilCold() throws InterruptedException {
            while (!cold)
                wait();
        }
    }

    static class Shop {
        void fit(CompletableFuture<String> panes) {
            System.out.println(panes.join());
        }

        void unload(Kiln kiln) throws InterruptedException {
            kiln.untilCold();
        }
    }

    public static void main(String[] args) throws Exception {
        Cutting cutting = new Cutting();
        Kiln kiln = new Kiln();
        Shop shop = new Shop();
        new Thread(cutting, "t-1").start();
        new Thread(kiln, "t-2").start();
        new Thread(() -> shop.fit(cutting.cut), "u-1").start();
        Thread last = new Thread(() -> {
            try {
                shop.unload(kiln);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "u-2");
        last.start();
        Thread.sleep(1000);
        System.out.println("READY");
        last.join();
    }
}
