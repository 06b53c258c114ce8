import java.util.concurrent.locks.StampedLock;

/** A write stamp is lost with an exception; its thread goes on to other work, and all others wait. */
public class Tallow {
    private final StampedLock lock = new StampedLock();
    private final int[] pots = new int[8];

    void pour(String order) {
        long stamp = lock.writeLock();
        pots[Integer.parseInt(order)]++;
        lock.unlockWrite(stamp);
    }

    int weigh() {
        long stamp = lock.readLock();
        try {
            int sum = 0;
            for (int pot : pots) {
                sum += pot;
            }
            return sum;
        } finally {
            lock.unlockRead(stamp);
        }
    }

    static class Clerk {
        private final Tallow tallow;

        Clerk(Tallow tallow) {
            this.tallow = tallow;
        }

        void enter(String line) {
            tallow.pour(line.trim());
        }
    }

    public static void main(String[] args) throws Exception {
        Tallow tallow = new Tallow();
        Clerk clerk = new Clerk(tallow);
        Thread first = new Thread(() -> {
            try {
                clerk.enter(" seven ");
            } catch (NumberFormatException e) {
                System.out.println("an order was not understood");
            }
        }, "t-1");
        first.start();
        first.join();
        new Thread(() -> clerk.enter(" 3 "), "t-2").start();
        Thread.sleep(200);
        for (int i = 3; i <= 5; i++) {
            new Thread(() -> System.out.println(tallow.weigh()), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
