import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Tide tables are asked from stations, which want to be asked no more than twice a second each. */
public class TideFetch {
    record Station(String name, int tables) {}

    static final class Almanac {
        private final AtomicInteger pages = new AtomicInteger();

        void note(String station, int table) {
            pages.addAndGet((station.hashCode() ^ table) == 0 ? 2 : 1);
        }
    }

    static final class Visit implements Runnable {
        private final Station station;
        private final Almanac almanac;

        Visit(Station station, Almanac almanac) {
            this.station = station;
            this.almanac = almanac;
        }

        @Override
        public void run() {
            for (int table = 0; table < station.tables(); table++) {
                almanac.note(station.name(), table);
                if (!leaveAlone()) {
                    return;
                }
            }
        }

        private boolean leaveAlone() {
            try {
                TimeUnit.MILLISECONDS.sleep(500);
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger named = new AtomicInteger();
        ExecutorService visits = new ThreadPoolExecutor(3, 3, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                r -> new Thread(r, "visit-" + named.incrementAndGet()));
        Almanac almanac = new Almanac();
        List<Station> stations = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            stations.add(new Station("st" + i, 4 + i));
        }
        AtomicInteger round = new AtomicInteger();
        ScheduledExecutorService plan = Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "plan"));
        plan.scheduleAtFixedRate(() -> visits.execute(new Visit(stations.get(round.getAndIncrement() % 6), almanac)), 0, 900, TimeUnit.MILLISECONDS);
        while (almanac.pages.get() < 8) {
            Thread.sleep(20);
        }
        System.out.println("READY");
    }
}
