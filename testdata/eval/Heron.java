import java.util.concurrent.locks.LockSupport;

/** A thread looks for a value, with a short pause in between; nobody brings it, and another thread waits for the end of the first. */
public class Heron {
    private volatile long caught;

    private void stand() {
        while (caught == 0) {
            LockSupport.parkNanos(1);
        }
    }

    private void fish() {
        stand();
        System.out.println("caught " + caught);
    }

    private void feed(Thread fisher) {
        try {
            fisher.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Heron heron = new Heron();
        Thread fisher = new Thread(heron::fish, "t-1");
        fisher.start();
        new Thread(() -> heron.feed(fisher), "t-2").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
