import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;

/** Starts the modules of the city portal; each module waits for those it builds on. */
public class ModuleBoot {

    static final class Started {
        private static final class Sync extends AbstractQueuedSynchronizer {
            @Override
            protected int tryAcquireShared(int ignored) {
                return getState() == 1 ? 1 : -1;
            }

            @Override
            protected boolean tryReleaseShared(int ignored) {
                setState(1);
                return true;
            }
        }

        private final Sync sync = new Sync();

        void await() throws InterruptedException {
            sync.acquireSharedInterruptibly(1);
        }

        void mark() {
            sync.releaseShared(1);
        }

        boolean hasWaiters() {
            return sync.hasQueuedThreads();
        }
    }

    static final class Module implements Runnable {
        private final String name;
        private final int steps;
        private final List<Module> needs = new ArrayList<>();
        private final Started started = new Started();
        private final AtomicInteger step = new AtomicInteger();
        private volatile boolean running = true;

        Module(String name, int steps, Module... needs) {
            this.name = name;
            this.steps = steps;
            this.needs.addAll(List.of(needs));
        }

        @Override
        public void run() {
            try {
                for (Module m : needs) {
                    m.started.await();
                }
                load();
                started.mark();
                System.out.println(name + " started");
                serve();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void load() throws InterruptedException {
            while (step.get() < steps) {
                migrate(step.incrementAndGet());
            }
        }

        private void migrate(int version) throws InterruptedException {
            long check = version;
            for (int i = 0; i < 200_000; i++) {
                check = check * 6364136223846793005L + 1442695040888963407L;
            }
            Thread.sleep(300 + (check & 15));
        }

        private void serve() {
            while (running && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(this, 2_000_000_000L);
            }
        }
    }

    static final class Portal {
        private final Map<String, Thread> threads = new LinkedHashMap<>();
        private final List<Module> modules = new ArrayList<>();

        void add(Module m) {
            modules.add(m);
            threads.put(m.name, new Thread(m, "module-" + m.name));
        }

        void start() {
            threads.values().forEach(Thread::start);
        }

        void join() throws InterruptedException {
            for (Thread t : threads.values()) {
                t.join();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Module schema = new Module("schema", 90);
        Module identity = new Module("identity", 15, schema);
        Module forms = new Module("forms", 10, schema, identity);
        Module payments = new Module("payments", 12, identity);
        Module site = new Module("site", 5, forms, payments);
        Portal portal = new Portal();
        for (Module m : new Module[] {schema, identity, forms, payments, site}) {
            portal.add(m);
        }
        portal.start();
        while (schema.step.get() < 8 || !schema.started.hasWaiters() || !identity.started.hasWaiters()
                || !forms.started.hasWaiters()) {
            Thread.sleep(20);
        }
        System.out.println("READY");
        System.out.flush();
        portal.join();
    }
}
