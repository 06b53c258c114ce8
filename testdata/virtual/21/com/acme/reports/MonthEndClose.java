package com.acme.reports;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * 500 virtual threads wait for the exchange rates of the month, a latch. The thread that should have counted it down failed
 * on its first line; nothing will count it down.
 */
public class MonthEndClose {
    private final CountDownLatch ratesLoaded = new CountDownLatch(1);
    private final AtomicInteger statements = new AtomicInteger();

    void writeStatement(int customer) {
        awaitRates();
        statements.addAndGet(customer);
    }

    private void awaitRates() {
        try {
            ratesLoaded.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void loadRates(String line) {
        try {
            Integer.parseInt(line);
            ratesLoaded.countDown();
        } catch (NumberFormatException e) {
            System.err.println("rates: " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        MonthEndClose close = new MonthEndClose();
        List<Thread> statements = new ArrayList<>();
        ExecutorService loader = Executors.newVirtualThreadPerTaskExecutor();
        loader.submit(() -> close.loadRates("EUR;1,07")).get();
        for (int i = 0; i < 500; i++) {
            int customer = i;
            statements.add(Thread.ofVirtual().name("statement-" + i).start(() -> close.writeStatement(customer)));
        }
        Service.awaitWaiting(statements);
        Service.run();
    }
}
