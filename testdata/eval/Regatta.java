import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A latch is short of one count, because the job that had to give it failed; three threads wait. */
public class Regatta {
    private final CountDownLatch finish = new CountDownLatch(4);

    private void sail(int boat) {
        int wind = 12 / (boat - 2);
        if (wind < 100) {
            finish.countDown();
        }
    }

    private void cheer() {
        try {
            stand();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stand() throws InterruptedException {
        finish.await();
        System.out.println("hurrah");
    }

    public static void main(String[] args) throws Exception {
        Regatta regatta = new Regatta();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 4; i++) {
            int boat = i;
            pool.submit(() -> regatta.sail(boat));
        }
        pool.shutdown();
        Thread[] crowd = new Thread[3];
        for (int i = 0; i < crowd.length; i++) {
            crowd[i] = new Thread(regatta::cheer, "t-" + (i + 1));
            crowd[i].start();
        }
        Thread.sleep(400);
        System.out.println("READY");
        for (Thread t : crowd) {
            t.join();
        }
    }
}
