package com.acme.parcels;

import com.acme.ops.Service;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Healthy: six virtual threads put into a bounded queue, four take from it, a few hundred items a second. */
public class SortingBelt {
    private final BlockingQueue<Long> belt = new ArrayBlockingQueue<>(32);
    private final AtomicLong sorted = new AtomicLong();

    void unload(long first) throws InterruptedException {
        for (long parcel = first; ; parcel += 6) {
            belt.put(parcel);
            Thread.sleep(10 + parcel % 5);
        }
    }

    void sort() throws InterruptedException {
        while (true) {
            sorted.addAndGet(belt.take() & 1);
            Thread.sleep(4);
        }
    }

    interface Work {
        void run() throws InterruptedException;
    }

    private static void start(String name, Work work) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    public static void main(String[] args) throws Exception {
        SortingBelt hall = new SortingBelt();
        for (int i = 0; i < 6; i++) {
            int first = i;
            start("truck-" + i, () -> hall.unload(first));
        }
        for (int i = 0; i < 4; i++) {
            start("sorter-" + i, hall::sort);
        }
        Service.await(() -> hall.sorted.get() > 100);
        Service.run();
    }
}
