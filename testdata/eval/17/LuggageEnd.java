import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class LuggageEnd {
    static final class Transfer implements Runnable {
        final int id; final int steps; final AtomicLong moved;
        private final int[] manifest = new int[400];
        Transfer(int id, int steps, AtomicLong moved) { this.id = id; this.steps = steps; this.moved = moved; }
        public void run() {
            for (int step = 0; step < steps; step++) moveTrolley(step);
        }
        void moveTrolley(int step) {
            for (int i = 0; i < manifest.length; i++) manifest[i] = (manifest[i] * 17 + step + i) % 1009;
            try {
                Thread.sleep(180 + id * 15L);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            moved.incrementAndGet();
        }
    }

    static final class LuggageService {
        private final ThreadPoolExecutor crews;
        private final AtomicLong moved = new AtomicLong();
        LuggageService(int size) {
            AtomicInteger n = new AtomicInteger();
            crews = new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), r -> new Thread(r, "luggage-crew-" + n.incrementAndGet()));
        }
        void accept(int id, int steps) { crews.execute(new Transfer(id, steps, moved)); }
        void close(long graceSeconds) {
            crews.shutdown();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(graceSeconds);
            try {
                while (!crews.awaitTermination(5, TimeUnit.SECONDS) && System.nanoTime() < end) report();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            crews.shutdownNow();
        }
        void report() { System.out.println("closing, moved " + moved.get() + ", crews busy " + crews.getActiveCount()); }
        long moved() { return moved.get(); }
    }

    static final class Control implements Runnable {
        final LuggageService service;
        Control(LuggageService service) { this.service = service; }
        public void run() {
            try {
                while (service.moved() < 12) Thread.sleep(100);
                endSeason();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        void endSeason() {
            System.exit(0);
        }
    }

    public static void main(String[] args) throws Exception {
        LuggageService service = new LuggageService(4);
        for (int i = 0; i < 4; i++) service.accept(i, 640 - i * 20);
        ScheduledExecutorService tide = Executors.newScheduledThreadPool(1, r -> {
            Thread t = new Thread(r, "tide-table");
            t.setDaemon(true);
            return t;
        });
        tide.scheduleAtFixedRate(() -> Math.cos(service.moved()), 200, 500, TimeUnit.MILLISECONDS);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("READY");
            System.out.flush();
            service.close(180);
        }, "service-close"));
        new Thread(new Control(service), "pier-control").start();
    }
}
