/** Contention [WAITERS=3]: one thread holds a monitor and sleeps, the others want it. */
final class Contention {
    private static final Object CACHE = new Object();

    public static void main(String[] args) throws Exception {
        Threads.await(Threads.start("refresh", Contention::refresh), Thread.State.TIMED_WAITING);
        for (int i = 1; i <= Threads.argument(args, 0, 3); i++) {
            Threads.await(Threads.start("request-" + i, Contention::lookup), Thread.State.BLOCKED);
        }
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void refresh() throws InterruptedException {
        synchronized (CACHE) {
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private static void lookup() {
        synchronized (CACHE) {
            System.out.println("found");
        }
    }
}
