import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Holding: synchronizers, tasks and pools in states that are known, when it prints READY. */
final class Holding {
    interface Task {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Semaphore semaphore = new Semaphore(5);
        semaphore.acquire(2);
        start("semaphore", () -> semaphore.acquire(4));
        start("semaphore-too", () -> semaphore.acquire(4));
        CountDownLatch latch = new CountDownLatch(7);
        latch.countDown();
        start("latch", latch::await);
        ReentrantLock lock = new ReentrantLock(true);
        ReentrantReadWriteLock shared = new ReentrantReadWriteLock();
        CountDownLatch held = new CountDownLatch(3);
        start("lock-owner", () -> {
            lock.lock();
            lock.lock();
            held.countDown();
            forever();
        });
        start("reader", () -> {
            shared.readLock().lock();
            shared.readLock().lock();
            shared.readLock().lock();
            held.countDown();
            forever();
        });
        start("reader-too", () -> {
            shared.readLock().lock();
            held.countDown();
            forever();
        });
        held.await();
        start("lock", lock::lock);
        Object monitor = new Object();
        CountDownLatch entered = new CountDownLatch(1);
        start("monitor-owner", () -> {
            synchronized (monitor) {
                entered.countDown();
                forever();
            }
        });
        entered.await();
        start("monitor", () -> {
            synchronized (monitor) {
                forever();
            }
        });
        start("barrier", () -> new CyclicBarrier(3).await());
        start("completable", () -> new CompletableFuture<>().get());
        start("completable-timed", () -> new CompletableFuture<>().get(9, TimeUnit.DAYS));
        BlockingQueue<Integer> full = new LinkedBlockingQueue<>(2);
        full.put(1);
        full.put(2);
        start("producer", () -> full.put(3));
        start("producer-too", () -> full.offer(3, 9, TimeUnit.DAYS));
        start("consumer", () -> new ArrayBlockingQueue<>(3).take());
        ForkJoinPool forkJoin = new ForkJoinPool(2);
        for (int i = 0; i < 5; i++) {
            forkJoin.execute(Holding::forever);
        }
        ThreadPoolExecutor self = single("self");
        self.execute(() -> get(self.submit(() -> 1)));
        ThreadPoolExecutor stages = single("stages");
        stages.execute(() -> CompletableFuture.supplyAsync(() -> 1, stages).thenApply(n -> n + 1).join());
        ThreadPoolExecutor slow = single("slow");
        slow.execute(Holding::forever);
        ThreadPoolExecutor asks = single("asks");
        asks.execute(() -> get(slow.submit(() -> 1)));
        ThreadPoolExecutor wrapped = new ThreadPoolExecutor(1, 1, 9, TimeUnit.DAYS, new LinkedBlockingQueue<>(),
            r -> daemon("wrapped", () -> r.run()));
        wrapped.execute(Holding::forever);
        start("writer", () -> shared.writeLock().lock());
        FutureTask<Integer> running = new FutureTask<>(() -> {
            forever();
            return 1;
        });
        start("runner", running::run);
        start("future", running::get);
        start("future-not-begun", () -> new FutureTask<>(() -> 1).get());
        pool("linked", 2, 2, new LinkedBlockingQueue<>(10), 5);
        pool("unbounded", 1, 1, new LinkedBlockingQueue<>(), 3);
        pool("array", 1, 1, new ArrayBlockingQueue<>(4), 5);
        pool("deque", 1, 1, new LinkedBlockingDeque<>(9), 2);
        pool("direct", 0, 8, new SynchronousQueue<>(), 3);
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(2, r -> daemon("scheduled", r));
        for (int i = 0; i < 6; i++) {
            scheduler.schedule(() -> 1, 9, TimeUnit.DAYS);
        }
        ThreadPoolExecutor ending = new ThreadPoolExecutor(3, 3, 9, TimeUnit.DAYS, new LinkedBlockingQueue<>(),
            r -> daemon("ending", r));
        ending.prestartAllCoreThreads();
        ending.execute(Holding::forever);
        Thread.sleep(1000);
        ending.shutdown();
        Thread.sleep(500);
        System.gc();
        System.out.println("READY");
        forever();
    }

    private static ThreadPoolExecutor single(String name) {
        return new ThreadPoolExecutor(1, 1, 9, TimeUnit.DAYS, new LinkedBlockingQueue<>(), r -> daemon(name, r));
    }

    private static void get(Future<?> future) {
        try {
            future.get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pool(String name, int core, int most, BlockingQueue<Runnable> queue, int tasks) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(core, most, 9, TimeUnit.DAYS, queue, r -> daemon(name, r));
        for (int i = 0; i < tasks; i++) {
            pool.execute(Holding::forever);
        }
    }

    private static void forever() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void start(String name, Task task) {
        Thread thread = daemon(name, () -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
