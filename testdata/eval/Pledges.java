import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.StampedLock;

/** Two readers of a StampedLock both try to convert to the write lock, each keeping its read lock. */
public class Pledges {
    static class Purse {
        private final StampedLock lock = new StampedLock();
        private final CyclicBarrier both = new CyclicBarrier(2);
        private long pledged;

        void pledge(long sum) throws Exception {
            long stamp = lock.readLock();
            try {
                if (pledged + sum > 5000)
                    return;
                both.await();
                stamp = forWriting(stamp);
                pledged += sum;
            } finally {
                lock.unlock(stamp);
            }
        }

        private long forWriting(long stamp) {
            long converted = lock.tryConvertToWriteLock(stamp);
            while (converted == 0)
                converted = lock.tryConvertToWriteLock(stamp);
            return converted;
        }
    }

    private static void give(Purse purse) {
        try {
            purse.pledge(25);
        } catch (Exception e) {
            System.err.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Purse purse = new Purse();
        Thread first = new Thread(() -> give(purse), "t-1");
        Thread second = new Thread(() -> give(purse), "t-2");
        first.start();
        second.start();
        Thread.sleep(2000);
        System.out.println("READY");
        first.join();
    }
}
