package com.acme.load;

import com.acme.ops.Service;

/**
 * Virtual threads that run with a part of their frames in the heap: below many frames they yield, go on, and return from some of
 * them. One, "spins", then spins for ever; the others, N of them (the first argument), return from all and begin again. Four
 * methods call each other in a ring, so that a stack of frames of two moments shows.
 */
public class HalfReturned {
    private static final int MOST = 300;
    static volatile long sink;

    static void ring0(int left, boolean spins) {
        before(left);
        if (left > 0) {
            ring1(left - 1, spins);
        }
        after(left, spins);
    }

    static void ring1(int left, boolean spins) {
        before(left);
        if (left > 0) {
            ring2(left - 1, spins);
        }
        after(left, spins);
    }

    static void ring2(int left, boolean spins) {
        before(left);
        if (left > 0) {
            ring3(left - 1, spins);
        }
        after(left, spins);
    }

    static void ring3(int left, boolean spins) {
        before(left);
        if (left > 0) {
            ring0(left - 1, spins);
        }
        after(left, spins);
    }

    private static void before(int left) {
        if (left % 50 == 0) {
            Thread.yield();
        }
    }

    private static void after(int left, boolean spins) {
        if (left % 17 == 0) {
            Thread.yield();
        }
        do {
            work();
        } while (spins && left == MOST / 3);
    }

    private static void work() {
        for (int i = 0; i < 2000; i++) {
            sink += i;
        }
    }

    private static void goRound(boolean spins) {
        for (int turn = 0; ; turn++) {
            ring0(spins ? MOST : MOST / 2 + turn % (MOST / 2), spins);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread.ofVirtual().name("spins").start(() -> goRound(true));
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            Thread.ofVirtual().name("returns-" + i).start(() -> goRound(false));
        }
        Service.run();
    }
}
