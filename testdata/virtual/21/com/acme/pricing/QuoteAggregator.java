package com.acme.pricing;

import com.acme.ops.Service;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A virtual thread waits, under the lock of the quotes, for the result of a task of a virtual-thread-per-task executor; the
 * task wants that lock.
 */
public class QuoteAggregator {
    private final ReentrantLock quotesLock = new ReentrantLock();
    private final Map<String, Long> quotes = new HashMap<>();
    private final ExecutorService lookups =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("quote-lookup-", 1).factory());
    private volatile Thread worker;

    long refresh(String isin) throws InterruptedException {
        quotesLock.lock();
        try {
            Future<Long> answer = lookups.submit(() -> fetch(isin));
            return awaitQuote(answer);
        } finally {
            quotesLock.unlock();
        }
    }

    private long awaitQuote(Future<Long> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private Long fetch(String isin) {
        worker = Thread.currentThread();
        return cache(isin, isin.hashCode() & 0xffff);
    }

    private long cache(String isin, long price) {
        quotesLock.lock();
        try {
            return quotes.merge(isin, price, Long::max);
        } finally {
            quotesLock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        QuoteAggregator quotes = new QuoteAggregator();
        Thread refresh = Thread.ofVirtual().name("quote-refresh").start(() -> {
            try {
                quotes.refresh("DE0005140008");
            } catch (InterruptedException e) {
                System.err.println("refresh interrupted");
            }
        });
        Service.await(() -> quotes.worker != null);
        Service.awaitWaiting(refresh, quotes.worker);
        Service.run();
    }
}
