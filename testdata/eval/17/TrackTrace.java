import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.LongAdder;

public class TrackTrace {
    static final class ParcelKey {
        final String carrier;
        final long number;

        ParcelKey(String carrier, long number) {
            this.carrier = carrier;
            this.number = number;
        }
    }

    record Event(String text, byte[] signature, long at) {}

    static class EventDecoder {
        private final Random rnd = new Random(11);

        Event decode(long n) {
            StringBuilder sb = new StringBuilder();
            for (int i = 0; i < 60; i++) sb.append((char) ('a' + rnd.nextInt(26)));
            byte[] sig = new byte[700];
            rnd.nextBytes(sig);
            return new Event(sb.toString() + n, sig, System.currentTimeMillis());
        }
    }

    static class LastSeen {
        private final Map<ParcelKey, Event> latest = new HashMap<>();

        void remember(ParcelKey k, Event e) {
            latest.put(k, e);
        }

        int size() {
            return latest.size();
        }
    }

    static class TrackingIngest implements Runnable {
        private final EventDecoder decoder = new EventDecoder();
        private final LastSeen seen;
        private final LongAdder count;

        TrackingIngest(LastSeen seen, LongAdder count) {
            this.seen = seen;
            this.count = count;
        }

        public void run() {
            try {
                long n = 0;
                while (true) {
                    for (int i = 0; i < 110; i++) ingest(n++);
                    Thread.sleep(20);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void ingest(long n) {
            ParcelKey key = new ParcelKey("BX", n % 500);
            seen.remember(key, decoder.decode(n));
            count.increment();
        }
    }

    static class StatusPage {
        private volatile int length;

        void render() {
            StringBuilder sb = new StringBuilder();
            for (int i = 0; i < 8000; i++) sb.append("<td>").append(i).append("</td>");
            length = sb.length();
        }
    }

    public static void main(String[] args) throws Exception {
        LastSeen seen = new LastSeen();
        LongAdder count = new LongAdder();
        Thread ingest = new Thread(new TrackingIngest(seen, count), "tracking-ingest");
        ingest.start();
        StatusPage page = new StatusPage();
        ScheduledExecutorService pages = Executors.newScheduledThreadPool(2, r -> new Thread(r, "status-page"));
        pages.scheduleAtFixedRate(page::render, 0, 25, TimeUnit.MILLISECONDS);
        ExecutorService push = Executors.newFixedThreadPool(2, r -> new Thread(r, "push-out"));
        push.submit(page::render);
        while (count.sum() < 30_000) Thread.sleep(100);
        System.out.println("READY");
        System.out.flush();
    }
}
