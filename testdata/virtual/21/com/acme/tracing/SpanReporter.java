package com.acme.tracing;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A free lock that is never taken (JDK 21 to 23): its next owner is runnable and has no carrier, as those that wait for the
 * lock inside a synchronized method keep all of them.
 */
public class SpanReporter {
    private final ReentrantLock bufferLock = new ReentrantLock();
    private final List<String> buffer = new ArrayList<>();

    static final class Span {
        private final SpanReporter reporter;

        Span(SpanReporter reporter) {
            this.reporter = reporter;
        }

        synchronized void finish(String name) {
            reporter.report(name);
        }
    }

    void report(String name) {
        bufferLock.lock();
        try {
            buffer.add(name);
        } finally {
            bufferLock.unlock();
        }
    }

    private void flushUntil(CountDownLatch enough) throws InterruptedException {
        bufferLock.lock();
        try {
            enough.await();
            buffer.clear();
        } finally {
            bufferLock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        SpanReporter reporter = new SpanReporter();
        int carriers = Integer.getInteger("jdk.virtualThreadScheduler.parallelism");
        CountDownLatch enough = new CountDownLatch(1);
        Thread flusher = Thread.ofPlatform().name("span-flusher").start(() -> {
            try {
                reporter.flushUntil(enough);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Service.awaitWaiting(flusher);
        Thread next = Thread.ofVirtual().name("span-direct").start(() -> reporter.report("direct"));
        Service.awaitWaiting(next);
        List<Thread> pinned = new ArrayList<>();
        for (int i = 0; i < carriers; i++) {
            Span span = new Span(reporter);
            pinned.add(Thread.ofVirtual().name("span-finish-" + i).start(() -> span.finish("request")));
        }
        Service.awaitWaiting(pinned);
        enough.countDown();
        flusher.join();
        Service.run();
    }
}
