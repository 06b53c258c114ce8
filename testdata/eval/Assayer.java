import java.util.concurrent.atomic.AtomicReference;

/** Takes from a sum without a lock, until what it has seen is still there: boxes of the same number may be two. */
public class Assayer {
    private final AtomicReference<Long> purse = new AtomicReference<>(90_000L);

    private void pay(long price) {
        long before;
        do {
            before = purse.get();
        } while (!purse.compareAndSet(before, before - price));
    }

    public static void main(String[] args) throws Exception {
        Assayer assayer = new Assayer();
        Thread trade = new Thread(() -> assayer.pay(3_000), "t-1");
        trade.start();
        Thread.sleep(1_000);
        System.out.println("READY");
        trade.join();
    }
}
