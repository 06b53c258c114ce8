import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Document scans: page buffers live outside of the heap and are retired when their page object is no longer used. */
public class ScanArchive {
    private static final Cleaner CLEANER = Cleaner.create();

    /** What has to be done with a buffer after its page is gone. */
    static class Retire implements Runnable {
        private final long id;
        private final ByteBuffer buffer;
        private final Registry registry;

        Retire(long id, ByteBuffer buffer, Registry registry) {
            this.id = id;
            this.buffer = buffer;
            this.registry = registry;
        }

        @Override
        public void run() {
            registry.confirm(id);
            registry.recycle(buffer);
        }
    }

    static class Page {
        final ByteBuffer pixels;
        final long id;

        Page(long id, ByteBuffer pixels, Registry registry) {
            this.id = id;
            this.pixels = pixels;
            CLEANER.register(this, new Retire(id, pixels, registry));
        }

        int darkness() {
            int sum = 0;
            for (int i = 0; i < pixels.capacity(); i += 64) {
                sum += pixels.get(i) & 0xff;
            }
            return sum;
        }
    }

    /** Hands out buffers; an auditor has to confirm each retirement. */
    static class Registry {
        private final BlockingQueue<ByteBuffer> spare = new LinkedBlockingQueue<>();
        private final SynchronousQueue<Long> audit = new SynchronousQueue<>();
        private final AtomicInteger retired = new AtomicInteger();

        Registry(int buffers) {
            for (int i = 0; i < buffers; i++) {
                spare.add(ByteBuffer.allocateDirect(64 * 1024));
            }
        }

        Page open(long id) throws InterruptedException {
            ByteBuffer b = spare.poll();
            if (b == null) {
                System.gc();                        // unused pages give theirs back
                b = spare.take();
            }
            return new Page(id, b, this);
        }

        void confirm(long id) {
            try {
                audit.put(id);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void recycle(ByteBuffer b) {
            b.clear();
            retired.incrementAndGet();
            spare.add(b);
        }

        /** The auditor of the night shift: leaves after so many pages. */
        void auditNight(int pages) throws InterruptedException {
            for (int i = 0; i < pages; i++) {
                Long id = audit.take();
                if (id % 100 == 0) {
                    System.out.println("audited page " + id);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Registry registry = new Registry(24);
        ExecutorService auditors = Executors.newCachedThreadPool();
        auditors.submit(() -> {
            registry.auditNight(200);
            return null;
        });
        ExecutorService scanners = Executors.newFixedThreadPool(3);
        AtomicInteger pages = new AtomicInteger();
        for (int s = 0; s < 3; s++) {
            scanners.submit(() -> {
                long ink = 0;
                while (true) {
                    Page p = registry.open(pages.incrementAndGet());
                    ink += p.darkness();
                    p = null;
                    Thread.sleep(4);
                }
            });
        }
        Thread.sleep(8500);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(200_000);
        System.out.println(pages.get() + " pages, " + registry.retired.get() + " retired");
        System.exit(0);
    }
}
