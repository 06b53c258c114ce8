import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** A packing line: the sorter lays parcels on a short table, express and standard packers take theirs. */
public class PackLine {

    enum Service { EXPRESS, STANDARD }

    record Parcel(long id, Service service, int grams) {}

    static final class Table {
        private final Deque<Parcel> parcels = new ArrayDeque<>();
        private final int places;

        Table(int places) { this.places = places; }

        synchronized void lay(Parcel p) throws InterruptedException {
            while (parcels.size() >= places) wait();
            parcels.addLast(p);
            notify();
        }

        synchronized Parcel take(Service wanted) throws InterruptedException {
            while (parcels.isEmpty() || parcels.peekFirst().service() != wanted) wait();
            Parcel p = parcels.removeFirst();
            notify();
            return p;
        }
    }

    static final class Packer implements Runnable {
        private final Table table;
        private final Service service;
        private final AtomicLong packed;
        private long grams;

        Packer(Table table, Service service, AtomicLong packed) {
            this.table = table;
            this.service = service;
            this.packed = packed;
        }

        @Override public void run() {
            try {
                while (true) pack(table.take(service));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void pack(Parcel p) throws InterruptedException {
            grams += p.grams();
            Thread.sleep(2 + p.id() % 3);
            packed.incrementAndGet();
        }
    }

    static final class Sorter implements Runnable {
        private final Table table;
        private final Random random = new Random();
        final AtomicLong sorted = new AtomicLong();

        Sorter(Table table) { this.table = table; }

        @Override public void run() {
            try {
                while (true) sort();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void sort() throws InterruptedException {
            Service s = random.nextInt(3) == 0 ? Service.EXPRESS : Service.STANDARD;
            table.lay(new Parcel(sorted.incrementAndGet(), s, 200 + random.nextInt(900)));
        }
    }

    public static void main(String[] args) throws Exception {
        Table table = new Table(1);
        AtomicLong packed = new AtomicLong();
        List<Thread> crew = new ArrayList<>();
        for (int i = 1; i <= 2; i++) crew.add(new Thread(new Packer(table, Service.EXPRESS, packed), "packer-express-" + i));
        for (int i = 1; i <= 2; i++) crew.add(new Thread(new Packer(table, Service.STANDARD, packed), "packer-standard-" + i));
        crew.add(new Thread(new Sorter(table), "sorter"));
        for (Thread t : crew) t.start();

        ScheduledExecutorService office = Executors.newScheduledThreadPool(2, t -> new Thread(t, "office"));
        office.scheduleAtFixedRate(packed::get, 500, 500, TimeUnit.MILLISECONDS);
        ExecutorService carriers = Executors.newFixedThreadPool(2, t -> new Thread(t, "carrier-call"));
        carriers.submit(() -> "pickup");
        carriers.submit(() -> "pickup");

        long last = -1, since = System.nanoTime();
        while (System.nanoTime() - since < 2_000_000_000L) {
            Thread.sleep(100);
            if (packed.get() != last) {
                last = packed.get();
                since = System.nanoTime();
            }
        }
        System.out.println("READY");
        System.out.flush();
    }
}
