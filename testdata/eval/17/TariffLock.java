import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class TariffLock {
    static final class Survey {
        long paths(int depth, long seed) {
            if (depth == 0) return seed & 1;
            return paths(depth - 1, seed * 31 + 7) + paths(depth - 1, seed * 17 + 3);
        }
    }

    static final class Tariffs {
        private final ReentrantLock lock = new ReentrantLock();
        private final ExecutorService reckon;
        private long rate = 3;
        Tariffs(ExecutorService reckon) { this.reckon = reckon; }

        long rate() {
            lock.lock();
            try {
                return rate;
            } finally {
                lock.unlock();
            }
        }

        void renew(int depth) throws Exception {
            lock.lock();
            try {
                Future<Long> sum = reckon.submit(() -> new Survey().paths(depth, 11));
                rate = sum.get(30, TimeUnit.MINUTES);
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor reckon = new ThreadPoolExecutor(2, 2, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>(), new ThreadFactory() {
            private int made;
            @Override public Thread newThread(Runnable r) { return new Thread(r, "w-" + ++made); }
        });
        reckon.prestartAllCoreThreads();
        Tariffs tariffs = new Tariffs(reckon);
        tariffs.renew(4);
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> {
                try {
                    while (tariffs.rate() >= 0) Thread.sleep(10);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "t-" + i).start();
        }
        Thread.sleep(300);
        new Thread(() -> {
            try {
                tariffs.renew(60);
            } catch (Exception e) {
                Thread.currentThread().interrupt();
            }
        }, "t-4").start();
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
