import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** Smart meters: readings arrive in bursts, are held for a quarter hour (here: some seconds), rolled up and dropped. */
public class MeterRollup {
    record Reading(String meter, long at, double kw) {}
    record Rollup(String meter, double mean, double max, int count) {}

    static class Window {
        private final NavigableMap<Long, List<Reading>> slots = new ConcurrentSkipListMap<>();
        private final long keep;
        Window(long keep) { this.keep = keep; }
        void add(List<Reading> batch, long now) { slots.computeIfAbsent(now / 250, k -> Collections.synchronizedList(new ArrayList<>())).addAll(batch); }
        List<Reading> recent() {
            List<Reading> out = new ArrayList<>();
            for (List<Reading> l : slots.values()) synchronized (l) { out.addAll(l); }
            return out;
        }
        void trim(long now) { slots.headMap((now - keep) / 250).clear(); }
        int slots() { return slots.size(); }
    }

    static class RollupCache extends LinkedHashMap<String, Rollup> {
        RollupCache() { super(256, 0.75f, true); }
        @Override protected boolean removeEldestEntry(Map.Entry<String, Rollup> e) { return size() > 3000; }
    }

    static class Plant {
        final Window window = new Window(3000);
        final Map<String, Rollup> latest = Collections.synchronizedMap(new RollupCache());
        final AtomicLong readings = new AtomicLong(), rollups = new AtomicLong();

        void burst(int head) {
            ThreadLocalRandom rnd = ThreadLocalRandom.current();
            long now = System.currentTimeMillis();
            List<Reading> batch = new ArrayList<>();
            for (int i = 0; i < 4000; i++)
                batch.add(new Reading("meter-" + head + "-" + rnd.nextInt(2000), now, rnd.nextDouble() * 9));
            window.add(batch, now);
            readings.addAndGet(batch.size());
        }

        void roll() {
            Map<String, List<Reading>> by = window.recent().stream().collect(Collectors.groupingBy(Reading::meter));
            by.values().parallelStream().map(l -> {
                DoubleSummaryStatistics s = l.stream().mapToDouble(Reading::kw).summaryStatistics();
                return new Rollup(l.get(0).meter(), s.getAverage(), s.getMax(), l.size());
            }).forEach(r -> latest.put(r.meter(), r));
            rollups.addAndGet(by.size());
        }
    }

    public static void main(String[] args) throws Exception {
        Plant plant = new Plant();
        ScheduledExecutorService heads = Executors.newScheduledThreadPool(4);
        for (int h = 0; h < 4; h++) {
            int head = h;
            heads.scheduleAtFixedRate(() -> plant.burst(head), 20 * h, 200, TimeUnit.MILLISECONDS);
        }
        ScheduledExecutorService desk = Executors.newSingleThreadScheduledExecutor();
        desk.scheduleWithFixedDelay(plant::roll, 500, 500, TimeUnit.MILLISECONDS);
        desk.scheduleWithFixedDelay(() -> plant.window.trim(System.currentTimeMillis()), 100, 100, TimeUnit.MILLISECONDS);
        long start = System.currentTimeMillis();
        boolean said = false;
        while (System.currentTimeMillis() - start < 230_000) {
            Thread.sleep(500);
            if (!said && System.currentTimeMillis() - start > 7000) {
                said = true;
                System.out.println("READY");
                System.out.flush();
            }
            if (said) System.out.println(plant.readings + " readings, " + plant.rollups + " rollups, " + plant.window.slots() + " slots");
        }
        System.exit(0);
    }
}
