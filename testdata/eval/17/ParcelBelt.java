import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Cross-belt sorter: infeed lays parcels on a tray, lanes pick up what is theirs. */
public class ParcelBelt {

    enum Lane { NORTH, SOUTH, EAST }

    record Parcel(long id, Lane lane) {}

    static final class Tray {
        private Parcel parcel;
        private long passed;

        synchronized void lay(Parcel p) throws InterruptedException {
            while (parcel != null) {
                wait();
            }
            parcel = p;
            notify();
        }

        synchronized Parcel pick(Lane lane) throws InterruptedException {
            while (parcel == null || parcel.lane() != lane) {
                wait();
            }
            Parcel p = parcel;
            parcel = null;
            passed++;
            notify();
            return p;
        }
    }

    static final class Chute implements Runnable {
        private final Tray tray;
        private final Lane lane;
        private final Map<Long, Lane> sorted;
        Chute(Tray tray, Lane lane, Map<Long, Lane> sorted) {
            this.tray = tray;
            this.lane = lane;
            this.sorted = sorted;
        }
        @Override public void run() {
            try {
                while (true) {
                    Parcel p = tray.pick(lane);
                    sorted.put(p.id() % 1000, p.lane());
                    Thread.sleep(2);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Infeed implements Runnable {
        private final Tray tray;
        private final Random plan = new Random(17);
        private long id;
        Infeed(Tray tray) { this.tray = tray; }
        @Override public void run() {
            try {
                while (true) {
                    feed(Lane.values()[plan.nextInt(3)]);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        private void feed(Lane lane) throws InterruptedException {
            tray.lay(new Parcel(++id, lane));
            Thread.sleep(5);
        }
    }

    public static void main(String[] args) throws Exception {
        Tray tray = new Tray();
        Map<Long, Lane> sorted = new ConcurrentHashMap<>();
        List<Thread> line = new ArrayList<>();
        for (Lane l : Lane.values()) line.add(new Thread(new Chute(tray, l, sorted), "lane-" + l.name().toLowerCase()));
        line.add(new Thread(new Infeed(tray), "infeed"));
        ScheduledExecutorService gauges = Executors.newScheduledThreadPool(2, r -> new Thread(r, "gauges"));
        AtomicLong last = new AtomicLong();
        gauges.scheduleAtFixedRate(() -> last.set(sorted.size()), 0, 500, TimeUnit.MILLISECONDS);
        BlockingQueue<String> alarms = new LinkedBlockingQueue<>();
        Thread pager = new Thread(() -> {
            try {
                while (true) System.err.println(alarms.take());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "alarm-relay");
        pager.setDaemon(true);
        pager.start();
        for (Thread t : line) t.start();
        int seen = 0;
        while (seen < 12) {
            Thread.sleep(150);
            seen = line.stream().allMatch(t -> t.getState() == Thread.State.WAITING) ? seen + 1 : 0;
        }
        System.out.println("READY");
        System.out.flush();
        while (true) Thread.sleep(5_000);
    }
}
