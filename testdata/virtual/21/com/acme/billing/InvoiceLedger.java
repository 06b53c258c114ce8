package com.acme.billing;

import com.acme.ops.Service;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Requests run in virtual threads, the nightly posting in a platform thread. The request holds the lock of the ledger and
 * wants the monitor of the journal, the posting the other way round: a deadlock over a ReentrantLock and a monitor.
 */
public class InvoiceLedger {
    private final ReentrantLock ledger = new ReentrantLock();
    private final Deque<String> journal = new ArrayDeque<>();
    private final CountDownLatch ledgerHeld = new CountDownLatch(1);
    private final CountDownLatch journalHeld = new CountDownLatch(1);

    void bookInvoice(String number) {
        ledger.lock();
        try {
            ledgerHeld.countDown();
            journalHeld.await();
            append(number);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ledger.unlock();
        }
    }

    private void append(String number) {
        synchronized (journal) {
            journal.add(number);
        }
    }

    void postJournal() {
        synchronized (journal) {
            journalHeld.countDown();
            try {
                ledgerHeld.await();
            } catch (InterruptedException e) {
                return;
            }
            closePeriod();
        }
    }

    private void closePeriod() {
        ledger.lock();
        try {
            journal.clear();
        } finally {
            ledger.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        InvoiceLedger books = new InvoiceLedger();
        Thread posting = Thread.ofPlatform().name("nightly-posting").start(books::postJournal);
        Thread request = Thread.ofVirtual().name("request-invoice-77").start(() -> books.bookInvoice("2026-0077"));
        Service.awaitWaiting(posting, request);
        Service.await(() -> posting.getState() == Thread.State.WAITING && request.getState() == Thread.State.BLOCKED);
        Service.run();
    }
}
