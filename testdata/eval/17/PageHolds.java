import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class PageHolds {
    static final class RateQuery {
        final String hotel; final int nights; final long asked = System.nanoTime();
        RateQuery(String hotel, int nights) { this.hotel = hotel; this.nights = nights; }
    }
    static final class Quote {
        final long cents; final byte[] sheet;
        Quote(long cents, byte[] sheet) { this.cents = cents; this.sheet = sheet; }
    }

    static class QuoteBook {
        static final Map<RateQuery, Quote> OPEN = new ConcurrentHashMap<>();
        static void keep(RateQuery q, Quote a) { OPEN.put(q, a); }
    }

    interface Rule { boolean over(RateQuery q, long now); }

    static class Expiry implements Runnable {
        private final List<Rule> rules = new ArrayList<>();
        private final Map<?, ?> target;
        private final AtomicLong dropped = new AtomicLong();
        Expiry(Map<?, ?> target) {
            this.target = target;
            rules.add((q, now) -> now - q.asked > TimeUnit.SECONDS.toNanos(2));
            rules.add((q, now) -> q.nights > 28);
        }
        @Override public void run() {
            long now = System.nanoTime();
            int before = target.size();
            target.keySet().removeIf(k -> k instanceof RateQuery q && rules.stream().anyMatch(r -> r.over(q, now)));
            dropped.addAndGet(Math.max(0, before - target.size()));
        }
    }

    static class PricingService {
        private final Random rnd = new Random(7);
        private final String[] hotels = {"Adler", "Bellevue", "Central", "Dom"};
        long price(String hotel, int nights) {
            RateQuery q = new RateQuery(hotel, nights);
            Quote a = compute(q);
            QuoteBook.keep(q, a);
            return a.cents;
        }
        private Quote compute(RateQuery q) {
            byte[] sheet = new byte[2048];
            for (int i = 0; i < q.nights; i++) sheet[i] = (byte) (q.hotel.hashCode() >> (i & 7));
            return new Quote(9900L * q.nights, sheet);
        }
        long serveBurst(int n) {
            long sum = 0;
            for (int i = 0; i < n; i++) sum += price(hotels[rnd.nextInt(hotels.length)], 1 + rnd.nextInt(30));
            return sum;
        }
    }

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService house = Executors.newScheduledThreadPool(2, r -> new Thread(r, "house-" + System.nanoTime() % 1000));
        house.scheduleWithFixedDelay(new Expiry(QuoteBook.OPEN), 200, 200, TimeUnit.MILLISECONDS);
        for (int w = 1; w <= 2; w++) {
            PricingService pricing = new PricingService();
            new Thread(() -> {
                long total = 0;
                while (!Thread.currentThread().isInterrupted()) {
                    total += pricing.serveBurst(20);
                    try { Thread.sleep(50); } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
                }
                System.out.println(total);
            }, "pricing-" + w).start();
        }
        Thread.sleep(6000);
        System.out.println("READY");
        System.out.flush();
    }
}
