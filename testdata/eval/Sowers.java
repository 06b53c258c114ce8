import java.util.concurrent.CountDownLatch;

/** Three sow long fields, row by row with a rest after each; one waits until all are done to bring the harrow. */
public class Sowers {
    static class Field implements Runnable {
        private final int width;
        private final CountDownLatch sown;
        private long seeds;

        Field(int width, CountDownLatch sown) {
            this.width = width;
            this.sown = sown;
        }

        @Override
        public void run() {
            try {
                for (int row = 0; row < 5000; row++) {
                    seeds += sow(row).length();
                    Thread.sleep(150);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                leave();
            }
        }

        private String sow(int row) {
            StringBuilder furrow = new StringBuilder();
            for (int i = 0; i < width; i++)
                furrow.append((char) ('a' + (row + i) % 26));
            return furrow.reverse().toString();
        }

        private void leave() {
            sown.countDown();
        }
    }

    static class Harrow {
        private final CountDownLatch sown;

        Harrow(CountDownLatch sown) {
            this.sown = sown;
        }

        void fetch() throws InterruptedException {
            sown.await();
            System.out.println("harrow");
        }
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch sown = new CountDownLatch(3);
        for (int i = 1; i <= 3; i++)
            new Thread(new Field(9000 * i, sown), "t-" + i).start();
        Harrow harrow = new Harrow(sown);
        Thread waiter = new Thread(() -> {
            try {
                harrow.fetch();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "u");
        waiter.start();
        Thread.sleep(1000);
        System.out.println("READY");
        waiter.join();
    }
}
