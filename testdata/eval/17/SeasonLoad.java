import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class SeasonLoad {
    record Attraction(int id, String name, long[] queueProfile) {}

    static final class Catalogue {
        private final Map<Integer, Attraction> byId = new ConcurrentHashMap<>();
        void put(Attraction a) { byId.put(a.id(), a); }
        Attraction get(int id) { return byId.get(id); }
        int size() { return byId.size(); }
    }

    static final class SeasonArchive {
        final int total;
        private int next;
        SeasonArchive(int total) { this.total = total; }
        boolean hasNext() { return next < total; }
        Attraction read() {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < 60; i++) row.append(next).append(';').append(i * 7).append(';');
            String[] fields = row.toString().split(";");
            long[] profile = new long[500];
            for (int i = 0; i < profile.length; i++) profile[i] = Long.parseLong(fields[i % fields.length]);
            return new Attraction(next++, "slot-" + next, profile);
        }
    }

    static final class Warmup implements Runnable {
        final SeasonArchive archive; final Catalogue catalogue; final CountDownLatch loaded;
        Warmup(SeasonArchive archive, Catalogue catalogue, CountDownLatch loaded) { this.archive = archive; this.catalogue = catalogue; this.loaded = loaded; }
        public void run() {
            try {
                while (archive.hasNext()) loadPage(30);
                System.out.println("catalogue loaded: " + catalogue.size());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                loaded.countDown();
            }
        }
        void loadPage(int rows) throws InterruptedException {
            for (int i = 0; i < rows && archive.hasNext(); i++) catalogue.put(archive.read());
            Thread.sleep(45);
        }
    }

    static final class QueueForecast implements Runnable {
        final Catalogue catalogue; final AtomicLong served = new AtomicLong();
        QueueForecast(Catalogue catalogue) { this.catalogue = catalogue; }
        public void run() {
            Random random = new Random(5);
            for (int i = 0; i < 400; i++) {
                Attraction a = catalogue.get(random.nextInt(Math.max(1, catalogue.size())));
                if (a != null) served.addAndGet(forecast(a) > 0 ? 1 : 0);
            }
        }
        long forecast(Attraction a) {
            long[] smooth = a.queueProfile().clone();
            for (int i = 1; i < smooth.length; i++) smooth[i] = (smooth[i] + smooth[i - 1]) / 2;
            return smooth[smooth.length - 1] + 1;
        }
    }

    public static void main(String[] args) throws Exception {
        Catalogue catalogue = new Catalogue();
        CountDownLatch loaded = new CountDownLatch(1);
        new Thread(new Warmup(new SeasonArchive(22_000), catalogue, loaded), "catalogue-load").start();
        QueueForecast forecast = new QueueForecast(catalogue);
        ScheduledExecutorService tick = Executors.newScheduledThreadPool(2, r -> new Thread(r, "forecast"));
        tick.scheduleWithFixedDelay(forecast, 100, 50, TimeUnit.MILLISECONDS);
        ExecutorService kiosks = Executors.newFixedThreadPool(4, r -> new Thread(r, "kiosk"));
        for (int i = 0; i < 4; i++) kiosks.execute(() -> { });
        Thread gate = new Thread(() -> {
            try {
                loaded.await();
                System.out.println("park open");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "gate-opening");
        gate.start();
        while (catalogue.size() < 1500) Thread.sleep(20);
        System.out.println("READY");
        System.out.flush();
    }
}
