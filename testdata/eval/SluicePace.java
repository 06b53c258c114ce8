import java.util.concurrent.atomic.*;

public class SluicePace {
    static final class Chamber {
        private final AtomicLongArray levels = new AtomicLongArray(16);
        void fill(long round) { levels.set((int) (round & 15), round); }
        boolean isFull(long round) { return levels.get((int) (round & 15)) == round; }
    }

    static final class Lock {
        private final Chamber chamber;
        Lock(Chamber chamber) { this.chamber = chamber; }
        boolean mayOpen(long round) { return chamber.isFull(round); }
        void pass(long round) {
            int looks = 0;
            while (!mayOpen(round)) {
                if (++looks % 5000 == 0) Thread.yield();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Chamber chamber = new Chamber();
        Lock lock = new Lock(chamber);
        new Thread(() -> {
            for (long round = 1; ; round++) lock.pass(round);
        }, "t-1").start();
        new Thread(() -> {
            try {
                for (long round = 1; ; round++) {
                    if (round != 20) chamber.fill(round); // and goes on without it
                    Thread.sleep(15);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "t-2").start();
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
