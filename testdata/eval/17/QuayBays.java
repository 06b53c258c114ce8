import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class QuayBays {
    static final class Bays extends AbstractQueuedSynchronizer {
        Bays(int n) { setState(n); }
        @Override protected int tryAcquireShared(int n) {
            for (;;) {
                int free = getState(), left = free - n;
                if (left < 0 || compareAndSetState(free, left)) return left;
            }
        }
        @Override protected boolean tryReleaseShared(int n) {
            for (;;) {
                int free = getState();
                if (compareAndSetState(free, free + n)) return true;
            }
        }
    }

    static final class Quay {
        private final Bays bays = new Bays(2);
        private final BlockingQueue<String> tallies = new LinkedBlockingQueue<>();

        <T> T moored(Callable<T> work) throws Exception {
            bays.acquireSharedInterruptibly(1);
            try {
                return work.call();
            } finally {
                bays.releaseShared(1);
            }
        }

        String tally() throws InterruptedException { return tallies.poll(5, TimeUnit.MINUTES); }
    }

    static final class Manifest {
        private final Quay quay;
        private long tons;
        Manifest(Quay quay) { this.quay = quay; }
        synchronized void load() throws Exception { tons += quay.moored(() -> { Thread.sleep(5); return 3L; }); }
        synchronized long tons() { return tons; }
    }

    interface Round { void go() throws Exception; }

    static void start(String name, Round round) {
        new Thread(() -> {
            try {
                while (true) { round.go(); Thread.sleep(20); }
            } catch (Exception e) {
                Thread.currentThread().interrupt();
            }
        }, name).start();
    }

    public static void main(String[] args) throws Exception {
        Quay quay = new Quay();
        Manifest north = new Manifest(quay), south = new Manifest(quay);
        start("t-1", north::load);
        start("t-2", south::load);
        for (int i = 3; i <= 4; i++) start("t-" + i, north::tons);
        Thread.sleep(500);
        for (int i = 5; i <= 6; i++) start("t-" + i, () -> quay.moored(quay::tally));
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
