import java.util.concurrent.atomic.AtomicBoolean;

/** Taken: two threads, turn-1 and turn-2, try for ever to get a flag that nobody gives back. */
final class Taken {
    private static final AtomicBoolean FLAG = new AtomicBoolean(true);

    public static void main(String[] args) throws Exception {
        Threads.start("turn-1", Taken::turn);
        Threads.start("turn-2", Taken::turn);
        Thread.sleep(2000); // by then compiled: a dump shows no call any more
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void turn() {
        while (!FLAG.compareAndSet(false, true)) {
            // at once again
        }
    }
}
