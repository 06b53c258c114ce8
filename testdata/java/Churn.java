import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Churn: N virtual threads that mount and unmount all the time: each parks for 0.1 to 2 ms, again and again.
 * By reflection, as all of testdata/java is compiled for Java 8.
 */
final class Churn {
    public static void main(String[] args) throws Exception {
        Runnable parks = () -> {
            for (;;) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(100_000, 2_000_000));
            }
        };
        for (int i = Integer.parseInt(args[0]); i > 0; i--) {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, parks);
        }
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }
}
