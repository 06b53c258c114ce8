import java.util.concurrent.Semaphore;

/** A semaphore without permits serves as a signal between two threads, and the signalling one has ended. */
public class Signalman {
    private final Semaphore green = new Semaphore(0);

    private void train() {
        for (int section = 0; section < 5; section++) {
            green.acquireUninterruptibly();
        }
    }

    private void box() {
        for (int section = 0; section < 4; section++) {
            green.release();
        }
    }

    public static void main(String[] args) throws Exception {
        Signalman man = new Signalman();
        new Thread(man::box, "t-1").start();
        Thread train = new Thread(man::train, "t-2");
        train.start();
        Thread.sleep(300);
        System.out.println("READY");
        train.join();
    }
}
