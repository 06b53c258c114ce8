package com.acme.metrics;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A free lock that is never taken, on every JDK: its next owner is runnable and has no carrier, as two threads wait for the
 * lock inside of static initialisers and keep both.
 */
public class GaugeCatalog {
    private static final ReentrantLock REGISTRY = new ReentrantLock();
    private static final List<String> NAMES = new ArrayList<>();

    static final class HeapGauges {
        static final int FIRST = register("heap.used");

        private HeapGauges() {
        }
    }

    static final class PoolGauges {
        static final int FIRST = register("pool.active");

        private PoolGauges() {
        }
    }

    static int register(String name) {
        REGISTRY.lock();
        try {
            NAMES.add(name);
            return NAMES.size();
        } finally {
            REGISTRY.unlock();
        }
    }

    private static void scrapeUntil(CountDownLatch done) {
        REGISTRY.lock();
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            REGISTRY.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Thread scraper = Thread.ofPlatform().name("metrics-scraper").start(() -> scrapeUntil(done));
        Service.awaitWaiting(scraper);
        Thread next = Thread.ofVirtual().name("gauge-uptime").start(() -> register("uptime"));
        Service.awaitWaiting(next);
        Thread heap = Thread.ofVirtual().name("gauge-heap").start(() -> System.out.println(HeapGauges.FIRST));
        Thread pool = Thread.ofVirtual().name("gauge-pool").start(() -> System.out.println(PoolGauges.FIRST));
        Service.awaitWaiting(heap, pool);
        done.countDown();
        scraper.join();
        Service.run();
    }
}
