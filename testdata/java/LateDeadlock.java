/** LateDeadlock MS: two threads share two monitors in good order; MS after READY they meet. Then prints DEADLOCKED. */
final class LateDeadlock {
    private static final Object STOCK = new Object();
    private static final Object BOOKS = new Object();
    private static volatile boolean late;
    private static volatile int holding;

    public static void main(String[] args) throws Exception {
        Thread one = Threads.start("booking-1", () -> work(STOCK, BOOKS));
        Thread two = Threads.start("booking-2", () -> work(BOOKS, STOCK));
        Threads.await(one, Thread.State.TIMED_WAITING);
        Threads.await(two, Thread.State.TIMED_WAITING);
        Threads.ready();
        Thread.sleep(Threads.argument(args, 0, 1000));
        late = true;
        Threads.await(one, Thread.State.BLOCKED);
        Threads.await(two, Thread.State.BLOCKED);
        System.out.println("DEADLOCKED");
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void work(Object first, Object second) throws InterruptedException {
        while (!late) {
            Thread.sleep(10);
        }
        synchronized (first) {
            synchronized (LateDeadlock.class) {
                holding++;
            }
            while (holding < 2) {
                Thread.sleep(1);
            }
            synchronized (second) {
                System.out.println("booked");
            }
        }
    }
}
