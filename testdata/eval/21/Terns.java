import java.util.concurrent.CountDownLatch;

/** Two virtual threads take two monitors in opposite order; eight more wait behind them. */
public class Terns {
    static class Island {
        private int nests;

        synchronized void settle() {
            nests++;
        }

        synchronized void move(Island to, CountDownLatch both) {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            nests--;
            to.settle();
        }
    }

    public static void main(String[] args) throws Exception {
        Island dune = new Island();
        Island reef = new Island();
        CountDownLatch both = new CountDownLatch(2);
        Thread a = Thread.ofVirtual().name("v-1").start(() -> dune.move(reef, both));
        Thread b = Thread.ofVirtual().name("v-2").start(() -> reef.move(dune, both));
        both.await();
        Thread.sleep(200);
        for (int i = 3; i <= 10; i++) {
            Thread.ofVirtual().name("v-" + i).start(dune::settle);
        }
        Thread.sleep(300);
        System.out.println("READY");
        a.join();
        b.join();
    }
}
