import java.util.concurrent.CountDownLatch;

/** A chain: four threads want the lower lock, its owner wants the upper one, whose owner sleeps. */
public class Canal {
    static class Basin {
        private int level;

        synchronized void fill(CountDownLatch inside) throws InterruptedException {
            inside.countDown();
            level++;
            settle();
        }

        private void settle() throws InterruptedException {
            Thread.sleep(3_600_000);
        }

        synchronized int level() {
            return level;
        }
    }

    private final Basin upper = new Basin();
    private final Object lower = new Object();

    void descend(CountDownLatch inside) {
        synchronized (lower) {
            inside.countDown();
            upper.level();
        }
    }

    void pass() {
        synchronized (lower) {
            System.out.println("through");
        }
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void start(String name, Step step) {
        new Thread(() -> {
            try {
                step.go();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name).start();
    }

    public static void main(String[] args) throws Exception {
        Canal canal = new Canal();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        start("t-1", () -> canal.upper.fill(first));
        first.await();
        start("t-2", () -> canal.descend(second));
        second.await();
        for (int i = 3; i <= 6; i++) {
            start("t-" + i, canal::pass);
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
