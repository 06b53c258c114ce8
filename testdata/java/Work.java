import com.sun.management.OperatingSystemMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.LongAdder;

/**
 * Work cpu|garbage|compile [THREADS=30]: a worker for each core does pieces of work without end, the others of THREADS
 * are parked. Ten times a second it prints WORK, its clock in ms, how many pieces are done, and the CPU time of the process
 * in ns: their rate is what whoever looks at the JVM takes from it.
 */
final class Work {
    private static final LongAdder DONE = new LongAdder();
    static volatile long sink;

    public static void main(String[] args) throws Exception {
        int workers = Runtime.getRuntime().availableProcessors();
        ManyThreads.park(Math.max(0, Threads.argument(args, 1, 30) - workers), 14);
        for (int i = 1; i <= workers; i++) {
            Threads.start("worker-" + i, worker(args[0]));
        }
        Threads.ready();
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        while (true) {
            long clock = System.nanoTime() / 1_000_000;
            System.out.println("WORK " + clock + " " + DONE.sum() + " " + process.getProcessCpuTime());
            Thread.sleep(100);
        }
    }

    private static Threads.Task worker(String kind) {
        switch (kind) {
            case "cpu": return () -> forever(Work::compute);
            case "garbage": return () -> allocate(new byte[2000][]);
            case "compile": return () -> forever(Work::compile);
            default: throw new IllegalArgumentException(kind);
        }
    }

    private static void forever(Threads.Task piece) throws Exception {
        while (true) {
            piece.run();
            DONE.increment();
        }
    }

    /** A loop over a long has a safepoint poll. */
    private static void compute() {
        long x = sink;
        for (long i = 0; i < 50_000; i++) {
            x = x * 6364136223846793005L + i;
            x ^= x >>> 13;
        }
        sink = x;
    }

    /** Each block lives for a while, so that collections have something to copy. */
    private static void allocate(byte[][] kept) throws Exception {
        forever(() -> {
            for (int i = 0; i < kept.length; i++) {
                kept[i] = new byte[1000];
                sink += kept[i].length;
            }
        });
    }

    /** A class that is loaded anew is compiled anew. */
    private static void compile() throws Exception {
        ((Runnable) new Again().loadClass("Work$Fresh").getConstructor().newInstance()).run();
    }

    /** Loads Fresh itself, all else as usual. */
    static final class Again extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Work$Fresh")) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = getResourceAsStream("Work$Fresh.class")) {
                ByteArrayOutputStream code = new ByteArrayOutputStream();
                for (int b = in.read(); b >= 0; b = in.read()) {
                    code.write(b);
                }
                return defineClass(name, code.toByteArray(), 0, code.size());
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Hot enough for every compiler, and soon out of use. Loaded by another loader it cannot see what is not public. */
    public static final class Fresh implements Runnable {
        private long state = 1;

        @Override
        public void run() {
            for (int i = 0; i < 20_000; i++) {
                state += mix(i) ^ fold(i);
            }
        }

        private long mix(int i) {
            long x = state + i;
            for (int k = 0; k < 8; k++) {
                x = x * 31 + (x >>> 7);
            }
            return x;
        }

        private static int fold(int i) {
            return Integer.toString(i).hashCode() + Long.hashCode(i * 37L);
        }
    }
}
