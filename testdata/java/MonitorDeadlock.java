/** MonitorDeadlock [RING=2 [WAITERS=0]]: a ring of threads over monitors; the waiters want one of them. */
final class MonitorDeadlock {
    private static volatile boolean go;

    public static void main(String[] args) throws Exception {
        int ring = Threads.argument(args, 0, 2);
        Object[] monitors = new Object[ring];
        for (int i = 0; i < ring; i++) {
            monitors[i] = new Object();
        }
        Thread[] threads = new Thread[ring];
        for (int i = 0; i < ring; i++) {
            Object first = monitors[i];
            Object second = monitors[(i + 1) % ring];
            threads[i] = Threads.start("transfer-" + (i + 1), () -> move(first, second));
            Threads.await(threads[i], Thread.State.TIMED_WAITING);
        }
        go = true;
        for (Thread thread : threads) {
            Threads.await(thread, Thread.State.BLOCKED);
        }
        for (int i = 1; i <= Threads.argument(args, 1, 0); i++) {
            Threads.await(Threads.start("audit-" + i, () -> read(monitors[0])), Thread.State.BLOCKED);
        }
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void move(Object from, Object to) throws InterruptedException {
        synchronized (from) {
            while (!go) {
                Thread.sleep(20);
            }
            synchronized (to) {
                System.out.println("moved");
            }
        }
    }

    private static void read(Object account) {
        synchronized (account) {
            System.out.println("read");
        }
    }
}
