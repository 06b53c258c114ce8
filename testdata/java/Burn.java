import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Burn PERCENT...: one thread each, named burn-PERCENT, that takes that share of a core by its own CPU clock. */
final class Burn {
    private static final long SLICE_NANOS = 10_000_000;
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    static volatile long sink;

    public static void main(String[] args) throws Exception {
        for (String percent : args) {
            Threads.start("burn-" + percent, () -> burn(Integer.parseInt(percent)));
        }
        Thread.sleep(500); // past the start of the JVM, which is busy itself
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void burn(int percent) throws InterruptedException {
        long wall = System.nanoTime();
        long cpu = CLOCK.getCurrentThreadCpuTime();
        while (true) {
            long wanted = (System.nanoTime() - wall) / 100 * percent;
            long had = CLOCK.getCurrentThreadCpuTime() - cpu;
            if (wanted - had > 5 * SLICE_NANOS) { // the machine kept us waiting: what is lost is lost
                wall = System.nanoTime();
                cpu += had;
            } else if (had < wanted || percent >= 100) {
                crunch();
            } else {
                Thread.sleep(SLICE_NANOS / 1_000_000);
            }
        }
    }

    /** About a tenth of a millisecond. */
    private static void crunch() {
        long x = sink;
        for (int i = 0; i < 100_000; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
        sink = x;
    }
}
