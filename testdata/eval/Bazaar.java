import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A thread waits in an Exchanger for a partner that has gone. */
public class Bazaar {
    private final Exchanger<StringBuilder> stall = new Exchanger<>();

    private int trade(int rounds) throws InterruptedException {
        StringBuilder goods = new StringBuilder();
        for (int i = 0; i < rounds; i++) {
            goods = swap(goods.append(i));
        }
        return goods.length();
    }

    private StringBuilder swap(StringBuilder goods) throws InterruptedException {
        return stall.exchange(goods);
    }

    public static void main(String[] args) throws Exception {
        Bazaar bazaar = new Bazaar();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.submit(() -> bazaar.trade(20));
        pool.submit(() -> bazaar.trade(21));
        Thread.sleep(500);
        System.out.println("READY");
    }
}
