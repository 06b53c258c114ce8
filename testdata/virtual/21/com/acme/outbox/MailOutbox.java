package com.acme.outbox;

import com.acme.ops.Service;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Requests hand a mail over and wait on a Condition until it is sent. The sender checks the outbox before it is filled and ends:
 * nothing signals the condition any more.
 */
public class MailOutbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition sent = lock.newCondition();
    private final Deque<String> mails = new ArrayDeque<>();

    void deliver(String mail) throws InterruptedException {
        lock.lock();
        try {
            mails.add(mail);
            awaitSent(mail);
        } finally {
            lock.unlock();
        }
    }

    private void awaitSent(String mail) throws InterruptedException {
        while (mails.contains(mail)) {
            sent.await();
        }
    }

    void sendAll() {
        lock.lock();
        try {
            while (!mails.isEmpty()) {
                mails.remove();
                sent.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        MailOutbox outbox = new MailOutbox();
        Thread.ofVirtual().name("mail-sender").start(outbox::sendAll).join();
        List<Thread> requests = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            String mail = "receipt " + i;
            requests.add(Thread.ofVirtual().name("receipt-" + i).start(() -> {
                try {
                    outbox.deliver(mail);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        Service.awaitWaiting(requests);
        Service.run();
    }
}
