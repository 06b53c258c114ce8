import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class KioskBoard {
    record Update(String stop, String line, int delay) {}

    interface UpdateListener { void onUpdate(Update u); }

    static final class DepartureFeed {
        private final List<UpdateListener> listeners = new ArrayList<>();
        private final Random rnd = new Random(11);
        synchronized void subscribe(UpdateListener l) { listeners.add(l); }
        synchronized void unsubscribe(UpdateListener l) { listeners.remove(l); }
        void publish() {
            Update u = new Update("S" + rnd.nextInt(200), "L" + rnd.nextInt(40), rnd.nextInt(15));
            List<UpdateListener> copy;
            synchronized (this) { copy = listeners.subList(Math.max(0, listeners.size() - 50), listeners.size()).stream().toList(); }
            for (UpdateListener l : copy) l.onUpdate(u);
        }
    }

    static final class KioskSession implements AutoCloseable {
        private final DepartureFeed feed;
        private final String stop;
        private final byte[] screen = new byte[48 * 1024];
        private int dirty;
        KioskSession(DepartureFeed feed, String stop) { this.feed = feed; this.stop = stop; }
        void attach() { feed.subscribe(this::apply); }
        @Override public void close() { feed.unsubscribe(this::apply); }
        private void apply(Update u) {
            if (u.stop().equals(stop)) { screen[dirty++ % screen.length] = (byte) u.delay(); }
        }
        int render(byte[] request) {
            int h = 0;
            for (byte b : request) h = 31 * h + b;
            screen[Math.abs(h % screen.length)] = 1;
            return h;
        }
    }

    static final class KioskGateway implements Runnable {
        private final DepartureFeed feed;
        final AtomicInteger served = new AtomicInteger();
        KioskGateway(DepartureFeed feed) { this.feed = feed; }

        @Override public void run() {
            try {
                while (true) {
                    for (int i = 0; i < 5; i++) serveKiosk(served.incrementAndGet());
                    Thread.sleep(40);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void serveKiosk(int n) {
            try (KioskSession s = new KioskSession(feed, "S" + n % 200)) {
                s.attach();
                for (int page = 0; page < 8; page++) s.render(readRequest(n + page));
            }
        }

        private byte[] readRequest(int n) {
            byte[] b = new byte[64 * 1024];
            Arrays.fill(b, (byte) n);
            return b;
        }
    }

    public static void main(String[] args) throws Exception {
        DepartureFeed feed = new DepartureFeed();
        ScheduledExecutorService pump = Executors.newSingleThreadScheduledExecutor(r -> {
            Thread t = new Thread(r, "feed-pump"); t.setDaemon(true); return t; });
        pump.scheduleAtFixedRate(feed::publish, 0, 100, TimeUnit.MILLISECONDS);
        ExecutorService render = Executors.newFixedThreadPool(2, r -> {
            Thread t = new Thread(r, "audio-render"); t.setDaemon(true); return t; });
        render.submit(() -> { });
        render.submit(() -> { });
        KioskGateway gw = new KioskGateway(feed);
        new Thread(gw, "kiosk-gateway").start();
        while (gw.served.get() < 200) Thread.sleep(20);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(Long.MAX_VALUE);
    }
}
