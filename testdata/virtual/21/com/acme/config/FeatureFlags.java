package com.acme.config;

import com.acme.ops.Service;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A virtual thread holds the read lock and asks for the write lock of the same ReentrantReadWriteLock: it waits for itself.
 * Twenty requests wait for the read lock behind it.
 */
public class FeatureFlags {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Boolean> flags = new HashMap<>();

    boolean enabled(String name) {
        lock.readLock().lock();
        try {
            Boolean known = flags.get(name);
            return known != null ? known : load(name);
        } finally {
            lock.readLock().unlock();
        }
    }

    private boolean load(String name) {
        lock.writeLock().lock();
        try {
            return flags.computeIfAbsent(name, n -> n.startsWith("beta"));
        } finally {
            lock.writeLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        FeatureFlags flags = new FeatureFlags();
        Thread first = Thread.ofVirtual().name("request-1").start(() -> flags.enabled("beta-checkout"));
        Service.awaitWaiting(first);
        Thread[] more = new Thread[20];
        for (int i = 0; i < more.length; i++) {
            more[i] = Thread.ofVirtual().name("request-" + (i + 2)).start(() -> flags.enabled("beta-search"));
        }
        Service.awaitWaiting(more);
        Service.run();
    }
}
