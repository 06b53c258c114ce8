package com.acme.accounts;

import com.acme.ops.Service;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Money transfers, a virtual thread each. Two of them lock the same two accounts in opposite order: a deadlock over
 * ReentrantLocks. Three more transfers wait for the first account.
 */
public class AccountTransfers {
    static final class Account {
        final ReentrantLock lock = new ReentrantLock();
        long cents = 1_000_00;

        void withdraw(long amount) {
            cents -= amount;
        }

        void deposit(long amount) {
            cents += amount;
        }
    }

    private static final CountDownLatch BOTH_HOLD_ONE = new CountDownLatch(2);

    static void transfer(Account from, Account to, long amount) {
        from.lock.lock();
        try {
            BOTH_HOLD_ONE.countDown();
            awaitAuthorization();
            credit(to, amount);
            from.withdraw(amount);
        } finally {
            from.lock.unlock();
        }
    }

    private static void credit(Account to, long amount) {
        to.lock.lock();
        try {
            to.deposit(amount);
        } finally {
            to.lock.unlock();
        }
    }

    private static void awaitAuthorization() {
        try {
            BOTH_HOLD_ONE.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Account checking = new Account();
        Account savings = new Account();
        Thread out = Thread.ofVirtual().name("transfer-1001").start(() -> transfer(checking, savings, 20_00));
        Thread back = Thread.ofVirtual().name("transfer-1002").start(() -> transfer(savings, checking, 5_00));
        BOTH_HOLD_ONE.await();
        Thread[] more = new Thread[3];
        for (int i = 0; i < more.length; i++) {
            more[i] = Thread.ofVirtual().name("transfer-" + (1003 + i)).start(() -> credit(checking, 1_00));
        }
        Service.awaitWaiting(out, back);
        Service.awaitWaiting(more);
        Service.run();
    }
}
