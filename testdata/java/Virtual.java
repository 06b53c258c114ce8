import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual: N parked virtual threads, the first of them with the name that a second argument gives (\ e for ESC).
 * By reflection, as all of testdata/java is compiled for Java 8.
 */
final class Virtual {
    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        CountDownLatch parked = new CountDownLatch(n);
        Runnable park = () -> {
            parked.countDown();
            for (;;) {
                LockSupport.park();
            }
        };
        for (int i = 0; i < n; i++) {
            start(i == 0 && args.length > 1 ? args[1].replace("\\e", "\033") : "v-" + i, park);
        }
        parked.await();
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void start(String name, Runnable task) throws Exception {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder$OfVirtual");
        builder = type.getMethod("name", String.class).invoke(builder, name);
        type.getMethod("start", Runnable.class).invoke(builder, task);
    }
}
