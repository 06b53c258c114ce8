import org.apache.ignite.*;
import org.apache.ignite.cache.*;
import org.apache.ignite.configuration.*;
import org.apache.ignite.transactions.*;
import java.util.concurrent.*;

/** Three clerks move cargo between berths, each in a transaction that takes the berths in an order of its own. */
public class Harbourmaster {
    private final IgniteCache<Integer, Integer> berths;
    private final Ignite node;
    private final CyclicBarrier morning = new CyclicBarrier(3);

    Harbourmaster(Ignite node) {
        this.node = node;
        CacheConfiguration<Integer, Integer> c = new CacheConfiguration<>("berths");
        c.setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL);
        berths = node.getOrCreateCache(c);
    }

    void move(int from, int to) {
        try (Transaction tx = node.transactions().txStart(TransactionConcurrency.PESSIMISTIC,
                TransactionIsolation.REPEATABLE_READ)) {
            berths.put(from, 1);
            morning.await();
            berths.put(to, 2);
            tx.commit();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        IgniteConfiguration c = new IgniteConfiguration();
        c.setLocalHost("127.0.0.1");
        Harbourmaster h = new Harbourmaster(Ignition.start(c));
        for (int i = 0; i < 3; i++) {
            int from = i;
            new Thread(() -> h.move(from, (from + 1) % 3), "clerk-" + i).start();
        }
        Thread.sleep(1000);
        System.out.println("ready");
        Thread.sleep(600_000);
    }
}
