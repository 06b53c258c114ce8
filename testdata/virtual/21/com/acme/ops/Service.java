package com.acme.ops;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What a service does besides its work: it waits until its threads are where they belong, reports READY, and stays. */
public final class Service {
    private static final CountDownLatch SHUTDOWN = new CountDownLatch(1);

    private Service() {
    }

    /** Returns when the condition holds; it is asked every few milliseconds. */
    public static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Returns when each of the threads waits for something. */
    public static void awaitWaiting(Thread... threads) {
        awaitWaiting(Arrays.asList(threads));
    }

    public static void awaitWaiting(Collection<Thread> threads) {
        await(() -> threads.stream().allMatch(Service::waits));
    }

    /** Whether the thread is blocked, waits or sleeps. */
    public static boolean waits(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }

    /** Prints READY. */
    public static void ready() {
        System.out.println("READY");
        System.out.flush();
    }

    /** Prints READY and waits for a shutdown that does not come: what main does in the end. */
    public static void run() throws InterruptedException {
        ready();
        SHUTDOWN.await();
    }
}
