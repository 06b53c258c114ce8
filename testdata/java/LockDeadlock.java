import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * LockDeadlock [pair|mixed [OTHER ARG…]]: two threads over two ReentrantLocks, or over a ReentrantLock and a monitor. The
 * program OTHER then runs beside them.
 */
final class LockDeadlock {
    private static final ReentrantLock LEFT = new ReentrantLock();
    private static final ReentrantLock RIGHT = new ReentrantLock();
    private static final Object MONITOR = new Object();
    private static volatile boolean go;

    public static void main(String[] args) throws Exception {
        boolean mixed = args.length > 0 && args[0].equals("mixed");
        Thread one = Threads.start("import-1", mixed ? LockDeadlock::lockThenMonitor : () -> both(LEFT, RIGHT));
        Thread two = Threads.start("import-2", mixed ? LockDeadlock::monitorThenLock : () -> both(RIGHT, LEFT));
        Threads.await(one, Thread.State.TIMED_WAITING);
        Threads.await(two, Thread.State.TIMED_WAITING);
        go = true;
        Threads.await(one, mixed ? Thread.State.BLOCKED : Thread.State.WAITING);
        Threads.await(two, Thread.State.WAITING);
        if (args.length > 1) {
            Class.forName(args[1]).getDeclaredMethod("main", String[].class)
                .invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
        }
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void both(ReentrantLock first, ReentrantLock second) throws InterruptedException {
        first.lock();
        pause();
        second.lock();
        System.out.println("both");
    }

    private static void lockThenMonitor() throws InterruptedException {
        LEFT.lock();
        pause();
        synchronized (MONITOR) {
            System.out.println("both");
        }
    }

    private static void monitorThenLock() throws InterruptedException {
        synchronized (MONITOR) {
            pause();
            LEFT.lock();
            System.out.println("both");
        }
    }

    private static void pause() throws InterruptedException {
        while (!go) {
            Thread.sleep(20);
        }
    }
}
