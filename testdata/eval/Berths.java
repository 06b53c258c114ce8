import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;

/** Two threads take two one-permit semaphores in opposite order. */
public class Berths {
    private final Semaphore quay = new Semaphore(1);
    private final Semaphore tug = new Semaphore(1);
    private final CyclicBarrier both = new CyclicBarrier(2);

    private void inbound() throws Exception {
        quay.acquire();
        try {
            both.await();
            tug.acquire();
            tug.release();
        } finally {
            quay.release();
        }
    }

    private void outbound() throws Exception {
        tug.acquire();
        try {
            both.await();
            quay.acquire();
            quay.release();
        } finally {
            tug.release();
        }
    }

    interface Leg {
        void sail() throws Exception;
    }

    static void start(String name, Leg leg) {
        new Thread(() -> {
            try {
                leg.sail();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name).start();
    }

    public static void main(String[] args) throws Exception {
        Berths berths = new Berths();
        start("t-1", berths::inbound);
        start("t-2", berths::outbound);
        Thread.sleep(500);
        System.out.println("READY");
    }
}
