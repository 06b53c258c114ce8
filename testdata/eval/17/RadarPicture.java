import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class RadarPicture {
    static final class TrackKey {
        final int squawk;
        final int sector;

        TrackKey(int squawk, int sector) {
            this.squawk = squawk;
            this.sector = sector;
        }

        boolean same(TrackKey o) { return o.squawk == squawk && o.sector == sector; }
    }

    static final class TrackState {
        final double[] position = new double[24];
        final int[] levels = new int[12];
        String callsign;
        long seen;
    }

    static final class TrackTable {
        private final Map<TrackKey, TrackState> tracks = new ConcurrentHashMap<>();

        TrackState track(TrackKey k) { return tracks.computeIfAbsent(k, x -> new TrackState()); }

        TrackState find(int squawk, int sector) { return tracks.get(new TrackKey(squawk, sector)); }
    }

    static final class TrackMerger implements Runnable {
        private final TrackTable table;
        private long plots;

        TrackMerger(TrackTable table) { this.table = table; }

        @Override public void run() {
            long next = System.nanoTime();
            try {
                while (true) {
                    sweep(170);
                    next += 20_000_000L;
                    long left = (next - System.nanoTime()) / 1_000_000;
                    if (left > 0) Thread.sleep(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void sweep(int count) {
            for (int i = 0; i < count; i++) merge((int) (plots++ % 4096), i % 16);
        }

        private void merge(int squawk, int sector) {
            TrackState s = table.track(new TrackKey(squawk, sector));
            s.seen = plots;
            if (s.callsign == null) s.callsign = "DLH" + squawk;
            for (int i = 0; i < s.position.length; i++) s.position[i] = Math.sin(plots + i);
            s.levels[(int) (plots % 12)] = sector * 100;
        }
    }

    static final class TileRenderer implements Runnable {
        private final TrackTable table;
        private final int zoom;
        volatile long frames;

        TileRenderer(TrackTable table, int zoom) {
            this.table = table;
            this.zoom = zoom;
        }

        @Override public void run() {
            try {
                while (true) {
                    for (int i = 0; i < 4; i++) frames += render(i).length() > 0 ? 1 : 0;
                    Thread.sleep(12);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private String render(int row) {
            int[] pixels = new int[64 * 1024];
            for (int i = row; i < pixels.length; i += 64) pixels[i] = zoom * i;
            TrackState s = table.find(row, zoom);
            StringBuilder b = new StringBuilder(s == null ? "-" : s.callsign);
            for (int i = 0; i < 400; i++) b.append(pixels[i * 64 + row] & 0xff).append(',');
            return b.toString();
        }
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        TrackTable table = new TrackTable();
        new Thread(new TrackMerger(table), "track-merger").start();
        List<TileRenderer> renderers = new ArrayList<>();
        for (int z = 1; z <= 2; z++) {
            TileRenderer r = new TileRenderer(table, z);
            renderers.add(r);
            new Thread(r, "tile-render-" + z).start();
        }
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1, r -> new Thread(r, "conflict-probe"));
        AtomicLong probes = new AtomicLong();
        timer.scheduleAtFixedRate(() -> {
            for (int i = 0; i < 500; i++) if (table.find(i, i % 16) != null) probes.incrementAndGet();
        }, 200, 200, TimeUnit.MILLISECONDS);
        while (System.nanoTime() - start < 8_000_000_000L || table.tracks.size() < 40_000) Thread.sleep(100);
        System.out.println("READY");
        System.out.flush();
    }
}
