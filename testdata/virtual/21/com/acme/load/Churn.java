package com.acme.load;

import com.acme.ops.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Virtual threads that mount and unmount all the time, and come and go: N that live (the first argument), with pauses of 0.1
 * to 2 ms, and up to four thousand short ones each second. Apart from work(), which ends most paths, each method has one call
 * site, so that what is read of a stack can be checked pair by pair against the true calls.
 *
 * With a file as second argument it writes these calls, see {@link Calls}, then prints READY and ends. Calls within the JDK are
 * those of this JDK.
 */
public class Churn {
    private static final boolean UNMOUNTS_IN_MONITORS = Runtime.version().feature() >= 24;
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final ReentrantLock FAIR = new ReentrantLock(true);
    private static final Object MONITOR = new Object();
    private static final Semaphore PERMITS = new Semaphore(3);
    private static final SynchronousQueue<Integer> NOTHING = new SynchronousQueue<>();
    static volatile Object garbage;
    /** Takes the true calls, where they are wanted. */
    private static Calls truth;

    /** How long a pause lasts: 0.1 to 2 ms, in nanoseconds. */
    static long pause(int turn) {
        return 100_000 + turn % 20 * 100_000L;
    }

    static void work(int turn) {
        Calls calls = truth;
        if (calls != null) {
            calls.record(new Throwable().getStackTrace());
        }
        long x = turn;
        for (int i = 0; i < 200 + turn * 37 % 1000; i++) {
            x = x * 31 + i;
        }
        garbage = new byte[(int) (x & 255) + 16];
    }

    // a park without a blocker, below calls with many arguments
    static void park0(int turn) {
        park1(turn, 1, 2);
    }

    static void park1(int turn, int a, int b) {
        work(turn + a + b);
        park2(turn, a, b, 3, 4, 5, 6L, 7L, 8L, 9.0);
    }

    static void park2(int turn, int a, int b, int c, int d, int e, long f, long g, long h, double i) {
        park3(turn);
        work((int) (a + b + c + d + e + f + g + h + i));
    }

    static void park3(int turn) {
        LockSupport.parkNanos(pause(turn));
    }

    static int yield0(int turn) {
        return yield1(turn) + 1;
    }

    static int yield1(int turn) {
        return yield2(turn) + 2;
    }

    static int yield2(int turn) {
        Thread.yield();
        return turn;
    }

    static void lock0(int turn) {
        lock1(turn);
    }

    static void lock1(int turn) {
        LOCK.lock();
        try {
            work(turn);
        } finally {
            LOCK.unlock();
        }
    }

    static void fair0(int turn) throws InterruptedException {
        if (fair1(turn)) {
            work(turn);
        }
    }

    static boolean fair1(int turn) throws InterruptedException {
        boolean taken = FAIR.tryLock(pause(turn), TimeUnit.NANOSECONDS);
        if (taken) {
            work(turn); // for so long that others often wait
            FAIR.unlock();
        }
        return taken;
    }

    static void enter0(int turn) {
        enter1(turn);
    }

    static void enter1(int turn) {
        if (!UNMOUNTS_IN_MONITORS) {
            work(turn);
            return;
        }
        synchronized (MONITOR) {
            work(turn);
        }
    }

    static void wait0(int turn) throws InterruptedException {
        if (UNMOUNTS_IN_MONITORS) {
            wait1(turn);
        }
    }

    static void wait1(int turn) throws InterruptedException {
        Object own = new Object();
        synchronized (own) {
            own.wait(1 + pause(turn) / 1_000_000);
        }
    }

    static void sleep0(int turn) throws InterruptedException {
        sleep1(turn);
    }

    static void sleep1(int turn) throws InterruptedException {
        Thread.sleep(0, (int) Math.min(pause(turn), 999_999));
    }

    static void poll0(int turn) throws InterruptedException {
        garbage = poll1(turn);
    }

    static Integer poll1(int turn) throws InterruptedException {
        return NOTHING.poll(pause(turn), TimeUnit.NANOSECONDS);
    }

    static void permit0(int turn) throws InterruptedException {
        permit1(turn);
    }

    static void permit1(int turn) throws InterruptedException {
        if (PERMITS.tryAcquire(pause(turn), TimeUnit.NANOSECONDS)) {
            try {
                work(turn);
            } finally {
                PERMITS.release();
            }
        }
    }

    // four methods that call each other in a ring, up to sixty frames
    static void ring0(int depth, int turn) {
        if (depth <= 0) {
            ringEnd(turn);
            return;
        }
        ring1(depth - 1, turn);
    }

    static void ring1(int depth, int turn) {
        ring2(depth - 1, turn, depth * 3L);
    }

    static void ring2(int depth, int turn, long extra) {
        ring3(depth - 1, turn);
        garbage = extra;
    }

    static void ring3(int depth, int turn) {
        work(depth);
        ring0(depth - 1, turn);
    }

    static void ringEnd(int turn) {
        LockSupport.parkNanos(MONITOR, pause(turn));
    }

    static void step(int kind, int turn) throws InterruptedException {
        switch (kind) {
            case 0 -> park0(turn);
            case 1 -> yield0(turn);
            case 2 -> lock0(turn);
            case 3 -> fair0(turn);
            case 4 -> enter0(turn);
            case 5 -> wait0(turn);
            case 6 -> sleep0(turn);
            case 7 -> poll0(turn);
            case 8 -> permit0(turn);
            default -> ring0(4 * (turn & 15), turn);
        }
    }

    private static final int KINDS = 10;

    /** A thread that lives: it takes steps until it is interrupted. */
    record Living(int number) implements Runnable {
        @Override
        public void run() {
            try {
                for (int turn = number; ; turn += 7) {
                    step(Math.floorMod(turn * 131 + number, KINDS), turn & 0xffff);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A task that ends after a few steps. */
    record Brief(int number) implements Runnable {
        @Override
        public void run() {
            try {
                for (int turn = number; turn < number + 4; turn++) {
                    step(Math.floorMod(turn * 17, KINDS), turn & 0xffff);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void startBrief(ExecutorService executor, int number) throws InterruptedException {
        executor.execute(new Brief(number));
        if (number % 8 == 0) {
            Thread.sleep(2);
        }
    }

    /** Churns until no call is new any more, and writes the calls. */
    private static void writeTruth(Path file) throws IOException, InterruptedException {
        truth = new Calls();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            threads.add(Thread.ofVirtual().start(new Living(i)));
        }
        ExecutorService brief = Executors.newThreadPerTaskExecutor(task -> {
            Thread thread = Thread.ofVirtual().unstarted(task);
            synchronized (threads) {
                threads.add(thread);
            }
            return thread;
        });
        Thread starter = Thread.ofPlatform().daemon().start(() -> {
            try {
                for (int i = 0; ; i++) {
                    startBrief(brief, i);
                    Thread.sleep(3);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        truth.sample(threads);
        starter.interrupt();
        truth.write(file);
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 1) {
            writeTruth(Path.of(args[1]));
            Service.ready();
            System.exit(0);
        }
        int living = Integer.parseInt(args[0]);
        for (int i = 0; i < living; i++) {
            Thread.ofVirtual().name("live-" + i).start(new Living(i));
        }
        Service.ready();
        ExecutorService brief = Executors.newVirtualThreadPerTaskExecutor();
        for (int i = 0; ; i++) {
            startBrief(brief, i);
        }
    }
}
