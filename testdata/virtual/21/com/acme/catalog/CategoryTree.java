package com.acme.catalog;

import com.acme.ops.Service;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Two parts of a shop's catalog, each with a read-write lock. Two virtual threads hold one write lock each and want the read
 * lock of the other part: a deadlock. Four readers wait behind them.
 */
public class CategoryTree {
    static final class Section {
        final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        int products;
    }

    private static final CountDownLatch EDITING = new CountDownLatch(2);

    static void moveProducts(Section from, Section to) {
        from.lock.writeLock().lock();
        try {
            EDITING.countDown();
            EDITING.await();
            from.products -= countFree(to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            from.lock.writeLock().unlock();
        }
    }

    static int countFree(Section section) {
        section.lock.readLock().lock();
        try {
            return 100 - section.products;
        } finally {
            section.lock.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Section garden = new Section();
        Section kitchen = new Section();
        Thread one = Thread.ofVirtual().name("editor-garden").start(() -> moveProducts(garden, kitchen));
        Thread two = Thread.ofVirtual().name("editor-kitchen").start(() -> moveProducts(kitchen, garden));
        Service.awaitWaiting(one, two);
        Thread.sleep(100);
        Thread[] pages = new Thread[4];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = Thread.ofVirtual().name("page-view-" + i).start(() -> countFree(garden));
        }
        Service.awaitWaiting(pages);
        Service.awaitWaiting(one, two);
        Service.run();
    }
}
