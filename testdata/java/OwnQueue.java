import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * OwnQueue HOW: all three workers of the executor "orders" wait for tasks, and a client for one of theirs. These are in
 * its own queue (own, stages: as CompletableFuture), in that of the executor "prices", whose worker sleeps (other) or
 * waits for tasks of "orders" (crosswise), or in its own queue though it may have more workers (grows). A second
 * executor with the same code has idle workers.
 */
final class OwnQueue {
    private static final int WORKERS = 3;

    public static void main(String[] args) throws Exception {
        String how = args[0];
        boolean grows = how.equals("grows");
        ThreadPoolExecutor orders = pool("orders", WORKERS, grows ? 2 * WORKERS : WORKERS,
            grows ? new ArrayBlockingQueue<>(9) : new LinkedBlockingQueue<>());
        ThreadPoolExecutor prices = pool("prices", 1, 1, new LinkedBlockingQueue<>());
        ThreadPoolExecutor idle = pool("idle", WORKERS, WORKERS, new LinkedBlockingQueue<>());
        for (int i = 0; i < WORKERS; i++) {
            idle.submit(() -> quote(1)).get();
        }
        CountDownLatch begun = new CountDownLatch(WORKERS);
        CountDownLatch all = new CountDownLatch(WORKERS);
        if (how.equals("other")) {
            prices.execute(OwnQueue::sleep);
        } else if (how.equals("crosswise")) {
            prices.execute(() -> order(all, orders));
        }
        ThreadPoolExecutor asked = how.equals("other") || how.equals("crosswise") ? prices : orders;
        Future<?> first = null;
        for (int i = 0; i < WORKERS; i++) {
            Future<?> order = orders.submit(() -> {
                begun.countDown();
                begun.await();
                all.countDown();
                if (how.equals("stages")) {
                    return CompletableFuture.supplyAsync(() -> quote(1), orders).thenApply(n -> 2 * n).join();
                }
                return order(all, asked);
            });
            first = first == null ? order : first;
        }
        Future<?> result = first;
        Thread client = new Thread(() -> get(result), "client");
        client.start();
        all.await();
        Thread.sleep(500);
        System.out.println("READY");
        sleep();
    }

    private static Object order(CountDownLatch all, ThreadPoolExecutor asked) {
        try {
            all.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return get(asked.submit(() -> quote(1)));
    }

    private static int quote(int n) {
        return n;
    }

    private static Object get(Future<?> future) {
        try {
            return future.get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ThreadPoolExecutor pool(String name, int core, int most, BlockingQueue<Runnable> queue) {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(core, most, 9, TimeUnit.DAYS, queue,
            task -> new Thread(task, name + "-" + number.incrementAndGet()));
    }
}
