import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** Market prices for a sports book: a feed, a book of markets and a small read API. */
public class OddsHistory {

    static final class PriceTick {
        final long at;
        final String selection;
        final double[] ladder;

        PriceTick(long at, String selection, double[] ladder) {
            this.at = at;
            this.selection = selection;
            this.ladder = ladder;
        }

        double best() {
            double b = 0;
            for (double d : ladder) b = Math.max(b, d);
            return b;
        }
    }

    static final class MarketBook {
        private static final Map<String, List<PriceTick>> MARKETS = new ConcurrentHashMap<>();
        private static final AtomicLong SEEN = new AtomicLong();

        static void append(String market, PriceTick tick) {
            List<PriceTick> ticks = MARKETS.computeIfAbsent(market, m -> Collections.synchronizedList(new ArrayList<>()));
            ticks.add(tick);
            SEEN.incrementAndGet();
        }

        static double latest(String market) {
            List<PriceTick> ticks = MARKETS.get(market);
            return ticks == null || ticks.isEmpty() ? 0 : ticks.get(ticks.size() - 1).best();
        }

        static long seen() {
            return SEEN.get();
        }
    }

    /** Stands for the vendor's stream of semicolon separated frames. */
    static final class VendorLink {
        private final Random random = new Random(11);
        private final String[] prices = new String[500];

        VendorLink() {
            for (int i = 0; i < prices.length; i++) prices[i] = String.format(Locale.ROOT, "%.2f", 1.01 + i * 0.05);
        }

        String nextFrame() {
            StringBuilder sb = new StringBuilder(2048);
            sb.append("MKT").append(random.nextInt(600)).append(';').append("SEL").append(random.nextInt(30));
            for (int i = 0; i < 200; i++) sb.append(';').append(prices[random.nextInt(prices.length)]);
            return sb.toString();
        }
    }

    static final class FeedReader implements Runnable {
        private static final int FRAMES_PER_SECOND = 4200;
        private final VendorLink link = new VendorLink();

        @Override
        public void run() {
            long begin = System.nanoTime();
            long done = 0;
            while (!Thread.currentThread().isInterrupted()) {
                long due = (System.nanoTime() - begin) * FRAMES_PER_SECOND / 1_000_000_000L;
                done += drain(Math.min(due - done, 2000));
                try {
                    Thread.sleep(10);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        private long drain(long frames) {
            for (long i = 0; i < frames; i++) accept(link.nextFrame());
            return frames;
        }

        private void accept(String frame) {
            String[] parts = frame.split(";");
            MarketBook.append(parts[0], decode(parts));
        }

        private PriceTick decode(String[] parts) {
            double[] ladder = new double[parts.length - 2];
            for (int i = 2; i < parts.length; i++) {
                String p = parts[i];
                int dot = p.indexOf('.');
                ladder[i - 2] = Integer.parseInt(p.substring(0, dot)) + Integer.parseInt(p.substring(dot + 1)) / 100.0;
            }
            return new PriceTick(System.currentTimeMillis(), parts[1], ladder);
        }
    }

    static final class PriceApi {
        private final ExecutorService pool = Executors.newFixedThreadPool(3, r -> new Thread(r, "price-api-" + System.identityHashCode(r) % 1000));
        private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "margin-clock"));
        private volatile double margin;

        void open() {
            clock.scheduleAtFixedRate(() -> pool.execute(this::recalc), 200, 200, TimeUnit.MILLISECONDS);
        }

        private void recalc() {
            double sum = 0;
            for (int i = 0; i < 50; i++) sum += MarketBook.latest("MKT" + i);
            margin = sum / 50;
        }
    }

    public static void main(String[] args) throws Exception {
        new PriceApi().open();
        new Thread(new FeedReader(), "odds-feed").start();
        while (MarketBook.seen() < 36_000) Thread.sleep(100);
        System.out.println("READY");
        System.out.flush();
    }
}
