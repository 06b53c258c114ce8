import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class BeaconMail {
    record Beacon(int session, String event, long at) { }

    static final class Collector {
        private volatile int schema = 2;
        boolean accept(List<Beacon> batch, int version) { return version == schema && !batch.isEmpty(); }
    }

    static final class BeaconWriter implements Runnable {
        private final BlockingQueue<Beacon> queue;
        private final Collector collector;
        final AtomicLong attempts = new AtomicLong();
        BeaconWriter(BlockingQueue<Beacon> queue, Collector collector) {
            this.queue = queue; this.collector = collector;
        }
        @Override public void run() {
            List<Beacon> batch = new ArrayList<>();
            try {
                while (true) {
                    batch.add(queue.take());
                    queue.drainTo(batch, 15);
                    deliver(batch);
                    batch.clear();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        private void deliver(List<Beacon> batch) throws InterruptedException {
            while (!collector.accept(batch, 1)) {
                attempts.incrementAndGet();
                Thread.sleep(3000);
            }
        }
    }

    static final class PlayerSession implements Runnable {
        private final int id;
        private final BlockingQueue<Beacon> queue;
        PlayerSession(int id, BlockingQueue<Beacon> queue) { this.id = id; this.queue = queue; }
        @Override public void run() {
            try {
                for (int quartile = 0; ; quartile++) {
                    report("q" + quartile % 4);
                    Thread.sleep(10);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        private void report(String event) throws InterruptedException {
            queue.put(new Beacon(id, event, System.currentTimeMillis()));
        }
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Beacon> queue = new ArrayBlockingQueue<>(64);
        BeaconWriter writer = new BeaconWriter(queue, new Collector());
        new Thread(writer, "beacon-writer").start();
        ScheduledExecutorService metrics = Executors.newScheduledThreadPool(2, r -> new Thread(r, "metrics"));
        metrics.scheduleAtFixedRate(() -> writer.attempts.get(), 1, 1, TimeUnit.SECONDS);
        List<Thread> sessions = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(new PlayerSession(i, queue), "player-" + i);
            sessions.add(t);
            t.start();
        }
        while (queue.remainingCapacity() > 0 || !sessions.stream().allMatch(t -> t.getState() == Thread.State.WAITING)) {
            Thread.sleep(100);
        }
        Thread.sleep(500);
        System.out.println("READY");
        System.out.flush();
        sessions.get(0).join();
    }
}
