import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** Cars pass the gates of a bridge: passages are held for some seconds until they are billed; each minute has its total. */
public class BridgeLanes {
    record Passage(long id, long at, byte[] picture) {}

    static final class Billing {
        private final Deque<Passage> open = new ConcurrentLinkedDeque<>();
        private final List<Long> totals = new ArrayList<>();
        private final Map<String, String> tariffs = new ConcurrentHashMap<>();
        private long billed;

        void pass(Passage p) {
            open.addLast(p);
            tariffs.computeIfAbsent("class-" + p.picture().length % 7, k -> "tariff of " + k);
        }

        void bill(long now) {
            for (Passage p = open.peekFirst(); p != null && p.at() < now - 3000; p = open.peekFirst()) {
                open.pollFirst();
                billed++;
            }
        }

        synchronized void total() {
            totals.add(billed);
        }
    }

    public static void main(String[] args) throws Exception {
        Billing billing = new Billing();
        AtomicLong ids = new AtomicLong();
        ScheduledExecutorService desk = Executors.newScheduledThreadPool(2, r -> new Thread(r, "desk"));
        desk.scheduleAtFixedRate(() -> billing.bill(System.currentTimeMillis()), 100, 100, TimeUnit.MILLISECONDS);
        desk.scheduleAtFixedRate(billing::total, 200, 200, TimeUnit.MILLISECONDS);
        for (int i = 1; i <= 2; i++) {
            new Thread(() -> {
                try {
                    while (true) {
                        byte[] seen = new byte[9000];
                        Arrays.fill(seen, (byte) 7);
                        billing.pass(new Passage(ids.incrementAndGet(), System.currentTimeMillis(), Arrays.copyOf(seen, 3000)));
                        Thread.sleep(1);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "lane-" + i).start();
        }
        Thread.sleep(2500);
        System.out.println("READY");
        System.out.flush();
        Thread.currentThread().join();
    }
}
