import java.util.concurrent.atomic.AtomicReference;

/** Takes from a sum without a lock, until what it has seen is still there: boxes of the same number may be two. */
public class Moneyer {
    private final AtomicReference<Long> purse = new AtomicReference<>(90_000L);

    private void settle(long price) {
        long before = purse.get();
        while (!purse.compareAndSet(before, before - price)) {
            Thread.yield();
            before = purse.get();
        }
    }

    public static void main(String[] args) throws Exception {
        Moneyer moneyer = new Moneyer();
        Thread trade = new Thread(() -> moneyer.settle(3_000), "t-1");
        trade.start();
        Thread.sleep(1_000);
        System.out.println("READY");
        trade.join();
    }
}
