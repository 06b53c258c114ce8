import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Held WHAT: threads wait for what others hold: a "lock", a lock to read ("readers", by one thread), permits of a
 * "semaphore", room in a "queue" of two, a "latch" with the count 3, a "barrier" of 4, a worker of an "executor" with
 * 5 tasks in its queue, and a "cycle" of a lock held to read and a monitor.
 */
final class Held {
    interface Task {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "lock": lock(); break;
            case "readers": readers(); break;
            case "semaphore": semaphore(); break;
            case "queue": queue(); break;
            case "latch": latch(); break;
            case "barrier": barrier(); break;
            case "executor": executor(); break;
            default: cycle();
        }
        Thread.sleep(1000);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void lock() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch held = new CountDownLatch(1);
        start("owner", () -> {
            lock.lock();
            held.countDown();
            new LinkedBlockingQueue<>().take();
        });
        held.await();
        start("waiter-1", lock::lock);
        start("waiter-2", lock::lock);
    }

    private static void readers() throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        CountDownLatch held = new CountDownLatch(1);
        start("first", () -> {
            lock.readLock().lock();
            lock.readLock().unlock();
        }).join();
        start("reader", () -> {
            lock.readLock().lock();
            held.countDown();
            new LinkedBlockingQueue<>().take();
        });
        held.await();
        start("writer-1", () -> lock.writeLock().lock());
        start("writer-2", () -> lock.writeLock().lock());
    }

    private static void semaphore() throws Exception {
        Semaphore permits = new Semaphore(2);
        permits.acquire(2);
        for (int i = 1; i <= 3; i++) {
            start("call-" + i, permits::acquire);
        }
    }

    private static void queue() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(2);
        queue.put(1);
        queue.put(2);
        start("producer-1", () -> queue.put(3));
        start("producer-2", () -> queue.put(4));
    }

    private static void latch() {
        CountDownLatch latch = new CountDownLatch(3);
        start("starter", () -> begin(latch));
    }

    private static void begin(CountDownLatch latch) throws Exception {
        latch.await();
        System.out.println("begun");
    }

    private static void barrier() {
        CyclicBarrier barrier = new CyclicBarrier(4);
        start("party-1", () -> meet(barrier));
        start("party-2", () -> meet(barrier));
    }

    private static void meet(CyclicBarrier barrier) throws Exception {
        barrier.await();
        System.out.println("met");
    }

    private static void executor() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor executor = new ThreadPoolExecutor(3, 3, 9, TimeUnit.DAYS, new LinkedBlockingQueue<>(6),
            task -> new Thread(task, "worker-" + number.incrementAndGet()));
        Semaphore answers = new Semaphore(0);
        for (int i = 0; i < 8; i++) {
            executor.execute(() -> {
                try {
                    Thread.sleep(9_000_000 + answers.availablePermits());
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private static void cycle() throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Object monitor = new Object();
        CountDownLatch both = new CountDownLatch(2);
        start("reader", () -> {
            lock.readLock().lock();
            both.countDown();
            both.await();
            synchronized (monitor) {
                System.out.println("both");
            }
        });
        start("writer", () -> {
            synchronized (monitor) {
                both.countDown();
                both.await();
                lock.writeLock().lock();
            }
        });
    }

    private static Thread start(String name, Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.start();
        return thread;
    }
}
