import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** Letters come in faster than the only sorter gets through them; nothing bounds the tray. */
public class PostRoom {
    record Letter(long id, byte[] text) {}

    static final class Tray {
        private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();

        void drop(Letter l) {
            letters.add(l);
        }

        Letter next() throws InterruptedException {
            return letters.take();
        }

        int waiting() {
            return letters.size();
        }
    }

    static final class Sorter implements Runnable {
        private final Tray tray;
        private final int pause;
        private final Map<Integer, Integer> byStreet = new HashMap<>();

        Sorter(Tray tray, int pause) {
            this.tray = tray;
            this.pause = pause;
        }

        @Override public void run() {
            try {
                while (true) {
                    Letter l = tray.next();
                    byStreet.merge(Arrays.hashCode(l.text()) & 63, 1, Integer::sum);
                    if (l.id() % 4 != 1 || pause > 0) Thread.sleep(pause);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int pause = Integer.parseInt(args[0]);
        Tray tray = new Tray();
        AtomicLong ids = new AtomicLong();
        new Thread(new Sorter(tray, pause), "sorter").start();
        for (int i = 1; i <= 2; i++) {
            new Thread(() -> {
                try {
                    while (true) {
                        long id = ids.incrementAndGet();
                        byte[] raw = new byte[30_000];
                        Arrays.fill(raw, (byte) id);
                        tray.drop(new Letter(id, Arrays.copyOf(raw, 12_000)));
                        Thread.sleep(5);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "carrier-" + i).start();
        }
        ScheduledExecutorService gauge = Executors.newScheduledThreadPool(1, r -> new Thread(r, "gauge"));
        gauge.scheduleAtFixedRate(() -> {
            if (tray.waiting() < 0) System.err.println("none");
        }, 200, 200, TimeUnit.MILLISECONDS);
        Thread.sleep(3500);
        System.out.println("READY");
        System.out.flush();
        Thread.currentThread().join();
    }
}
