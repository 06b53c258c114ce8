package com.example.orders;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A small shop. Orders and refunds take the same two locks in opposite order, and its search index is too slow. */
public final class OrderService {
    private final Inventory inventory = new Inventory();
    private final Ledger ledger = new Ledger();
    private final CountDownLatch rush = new CountDownLatch(2);

    public static void main(String[] args) throws Exception {
        new OrderService().open();
    }

    private void open() throws InterruptedException {
        ExecutorService requests = pool("http-worker-", 6);
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(1, named("heartbeat-"));
        clock.scheduleAtFixedRate(ledger::checkpoint, 100, 100, TimeUnit.MILLISECONDS);
        start("catalog-indexer", new CatalogIndexer(20_000)::rebuildForever);
        start("refunds", () -> new RefundJob(inventory, ledger, rush).run());
        requests.submit(() -> placeOrder("espresso machine", 1));
        rush.await();
        for (int i = 0; i < 3; i++) {
            requests.submit(() -> inventory.available("espresso machine"));
        }
        Thread.sleep(500);
        System.out.println("READY");
        requests.awaitTermination(Long.MAX_VALUE, TimeUnit.SECONDS);
    }

    private void placeOrder(String item, int count) {
        synchronized (inventory) {
            inventory.reserve(item, count);
            rendezvous(rush);
            ledger.charge(item, count);
        }
    }

    /** The rush hour: both sides hold their first lock before either wants its second. */
    static void rendezvous(CountDownLatch rush) {
        rush.countDown();
        try {
            rush.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ExecutorService pool(String prefix, int size) {
        java.util.concurrent.ThreadPoolExecutor pool =
                (java.util.concurrent.ThreadPoolExecutor) Executors.newFixedThreadPool(size, named(prefix));
        pool.prestartAllCoreThreads();
        return pool;
    }

    private static java.util.concurrent.ThreadFactory named(String prefix) {
        AtomicInteger next = new AtomicInteger();
        return task -> new Thread(task, prefix + next.incrementAndGet());
    }

    private static void start(String name, Runnable task) {
        new Thread(task, name).start();
    }
}
