/** Idle [THREADS=0 [DEPTH=10]]: main sleeps; so many more threads are parked, so many calls deep. */
final class Idle {
    public static void main(String[] args) throws Exception {
        ManyThreads.park(Threads.argument(args, 0, 0), Threads.argument(args, 1, 10));
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }
}
