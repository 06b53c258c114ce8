package com.acme.stats;

import com.acme.ops.Service;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Healthy: forty virtual threads share a lock, a monitor and sixteen permits, each held for microseconds, and go on. */
public class VisitCounter {
    private final ReentrantLock pagesLock = new ReentrantLock();
    private final Map<Integer, Long> pages = new HashMap<>();
    private final Semaphore exports = new Semaphore(16);
    private final AtomicLong visits = new AtomicLong();
    private long latest;

    void visit(int page) throws InterruptedException {
        pagesLock.lock();
        try {
            pages.merge(page, 1L, Long::sum);
        } finally {
            pagesLock.unlock();
        }
        touch(page);
        exports.acquire();
        try {
            visits.incrementAndGet();
            Thread.sleep(1);
        } finally {
            exports.release();
        }
        Thread.sleep(60);
    }

    private synchronized void touch(int page) {
        latest = Math.max(latest, page);
    }

    private void browse(int visitor) {
        try {
            for (int i = visitor; ; i++) {
                visit(i % 100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        VisitCounter counter = new VisitCounter();
        for (int i = 0; i < 40; i++) {
            int visitor = i;
            Thread.ofVirtual().name("visitor-" + i).start(() -> counter.browse(visitor));
        }
        Service.await(() -> counter.visits.get() > 400);
        Service.run();
    }
}
