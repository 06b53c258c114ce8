import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class MovieRelease {
    record Rendition(String asset, String codec) { }

    static final class Packager {
        private final Map<String, Integer> profiles = Map.of("avc", 1, "hevc", 2);
        String pack(Rendition r) throws InterruptedException {
            Thread.sleep(150);
            int profile = profiles.get(r.codec());
            return r.asset() + "/" + r.codec() + "-" + profile + ".mpd";
        }
    }

    static final class Release {
        final String asset;
        final List<String> manifests = Collections.synchronizedList(new ArrayList<>());
        private final CountDownLatch open;
        Release(String asset, int parts) { this.asset = asset; this.open = new CountDownLatch(parts); }
        void add(String manifest) {
            manifests.add(manifest);
            open.countDown();
        }
        void awaitParts() throws InterruptedException { open.await(); }
    }

    static final class Publisher implements Runnable {
        private final ExecutorService pool;
        private final Packager packager = new Packager();
        private final Map<String, List<String>> live = new ConcurrentHashMap<>();
        final AtomicInteger submitted = new AtomicInteger();
        Publisher(ExecutorService pool) { this.pool = pool; }
        @Override public void run() {
            try {
                publish("movie-1", "avc", "hevc");
                publish("movie-2", "avc", "hevc", "av1");
                publish("movie-3", "avc");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        private void publish(String asset, String... codecs) throws InterruptedException {
            Release release = new Release(asset, codecs.length);
            for (String codec : codecs) {
                pool.submit(() -> {
                    release.add(packager.pack(new Rendition(asset, codec)));
                    return null;
                });
                submitted.incrementAndGet();
            }
            release.awaitParts();
            live.put(asset, release.manifests);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger n = new AtomicInteger(1);
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(3,
            r -> new Thread(r, "packager-" + n.getAndIncrement()));
        ScheduledExecutorService metrics = Executors.newScheduledThreadPool(1, r -> new Thread(r, "metrics"));
        metrics.scheduleAtFixedRate(pool::getCompletedTaskCount, 1, 1, TimeUnit.SECONDS);
        Publisher publisher = new Publisher(pool);
        Thread t = new Thread(publisher, "publish");
        t.start();
        while (pool.getCompletedTaskCount() < 5) {
            Thread.sleep(100);
        }
        Thread.sleep(1000);
        System.out.println("READY");
        System.out.flush();
        t.join();
    }
}
