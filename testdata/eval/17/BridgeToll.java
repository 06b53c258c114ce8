import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** Cars pass the gates of a bridge: the latest of each lane are shown, each passage is booked, receipts are printed. */
public class BridgeToll {
    record Passage(long id, String plate, byte[] picture) {}

    /** The latest passages of a lane, for the display. */
    static final class Lane {
        private final Deque<Passage> latest = new ArrayDeque<>();

        synchronized void pass(Passage p) {
            latest.addLast(p);
            if (latest.size() > 40) latest.removeFirst();
        }

        synchronized int shown() {
            return latest.size();
        }
    }

    static final class Booth implements Runnable {
        private final BlockingQueue<Passage> arrivals;
        private final Ledger ledger;
        private final Lane lane;

        Booth(BlockingQueue<Passage> arrivals, Ledger ledger, Lane lane) {
            this.arrivals = arrivals;
            this.ledger = ledger;
            this.lane = lane;
        }

        @Override public void run() {
            try {
                while (true) {
                    Passage p = arrivals.take();
                    lane.pass(p);
                    ledger.book(p);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Ledger {
        private final Map<Long, Passage> booked = new ConcurrentHashMap<>();
        private final Map<String, String> receipts = new ConcurrentHashMap<>();

        void book(Passage p) {
            booked.put(p.id(), p);
            receipts.put(p.plate(), "receipt for " + p.plate());
            print(p.plate());
        }

        private void print(String plate) {
            String text = receipts.remove(plate);
            if (text != null && text.length() > 900) System.err.println(text);
        }
    }

    public static void main(String[] args) throws Exception {
        Ledger ledger = new Ledger();
        AtomicLong ids = new AtomicLong();
        BlockingQueue<Passage> arrivals = new ArrayBlockingQueue<>(100);
        Lane north = new Lane();
        Lane south = new Lane();
        new Thread(new Booth(arrivals, ledger, north), "booth-1").start();
        new Thread(new Booth(arrivals, ledger, south), "booth-2").start();
        ScheduledExecutorService display = Executors.newScheduledThreadPool(1, r -> new Thread(r, "display"));
        display.scheduleAtFixedRate(() -> {
            if (north.shown() + south.shown() < 0) System.err.println("empty");
        }, 100, 100, TimeUnit.MILLISECONDS);
        Thread road = new Thread(() -> {
            try {
                while (true) {
                    long id = ids.incrementAndGet();
                    byte[] seen = new byte[9000];
                    Arrays.fill(seen, (byte) id);
                    arrivals.put(new Passage(id, "plate-" + id % 5000, Arrays.copyOf(seen, 3000)));
                    if (id % 10 == 0) Thread.sleep(5);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "road");
        road.start();
        while (ids.get() < 6000) Thread.sleep(100);
        System.out.println("READY");
        System.out.flush();
        road.join();
    }
}
