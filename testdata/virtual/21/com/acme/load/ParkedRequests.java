package com.acme.load;

import com.acme.ops.Service;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * N virtual threads (the argument), half of them in an executor, parked at four places below ten frames: a sleep, the take of a
 * queue, a ReentrantLock that main holds, and a monitor that a platform thread holds (up to JDK 23, where a monitor would keep
 * the carrier: a park without a blocker).
 */
public class ParkedRequests {
    private static final ReentrantLock STOCK = new ReentrantLock();
    private static final LinkedBlockingQueue<Integer> ANSWERS = new LinkedBlockingQueue<>();
    private static final Object JOURNAL = new Object();
    private static final boolean UNMOUNTS = Runtime.version().feature() >= 24;

    static void handle(int request, CountDownLatch started) {
        started.countDown();
        try {
            filter(request, 8);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void filter(int request, int left) throws InterruptedException {
        if (left > 0) {
            filter(request, left - 1);
            return;
        }
        switch (request % 4) {
            case 0 -> backOff();
            case 1 -> awaitAnswer();
            case 2 -> reserve();
            default -> append();
        }
    }

    private static void backOff() throws InterruptedException {
        Thread.sleep(100_000_000L);
    }

    private static void awaitAnswer() throws InterruptedException {
        ANSWERS.take();
    }

    private static void reserve() {
        STOCK.lock();
        STOCK.unlock();
    }

    private static void append() {
        if (!UNMOUNTS) {
            LockSupport.park();
            return;
        }
        synchronized (JOURNAL) {
            JOURNAL.notifyAll();
        }
    }

    private static void holdJournal(CountDownLatch held) {
        synchronized (JOURNAL) {
            held.countDown();
            LockSupport.park();
        }
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        STOCK.lock();
        CountDownLatch held = new CountDownLatch(1);
        Thread.ofPlatform().name("journal-writer").daemon().start(() -> holdJournal(held));
        held.await();
        CountDownLatch started = new CountDownLatch(n);
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        for (int i = 0; i < n; i++) {
            int request = i;
            Runnable task = () -> handle(request, started);
            if (i / 4 % 2 == 0) {
                executor.execute(task);
            } else {
                Thread.ofVirtual().name("request-" + i).start(task);
            }
        }
        started.await();
        Thread.sleep(1000 + n / 200);
        Service.run();
    }
}
