package com.acme.telemetry;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The last value of each sensor. One thread writes; a bounded queue lies before it. */
class MeasurementStore {
    private final BlockingQueue<String> pending = new ArrayBlockingQueue<>(500);
    private final Map<String, Double> last = new ConcurrentHashMap<>();
    private final AtomicInteger accepted = new AtomicInteger();

    MeasurementStore() {
        Thread writer = new Thread(this::write, "measurement-writer");
        writer.setDaemon(true);
        writer.setUncaughtExceptionHandler((thread, e) -> System.err.println(thread.getName() + ": " + e));
        writer.start();
    }

    void append(String line) throws InterruptedException {
        pending.put(line);
        accepted.incrementAndGet();
    }

    int accepted() {
        return accepted.get();
    }

    private void write() {
        try {
            while (true) {
                String[] parts = pending.take().split("=");
                last.put(parts[0], Double.parseDouble(parts[1]));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
