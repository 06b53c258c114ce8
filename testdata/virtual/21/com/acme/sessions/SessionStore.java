package com.acme.sessions;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sessions are saved in a synchronized method that waits for a replica, which never answers: up to JDK 23 the threads that
 * save keep all carriers, and 40 requests cannot run. From 24 on nothing is pinned: the threads that save wait for the latch.
 */
public class SessionStore {
    static final class Session {
        private final CountDownLatch replicated = new CountDownLatch(1);
        private int version;

        synchronized void save() {
            version++;
            awaitReplica();
        }

        private void awaitReplica() {
            try {
                replicated.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int carriers = Integer.getInteger("jdk.virtualThreadScheduler.parallelism");
        List<Thread> saving = new ArrayList<>();
        for (int i = 0; i < carriers; i++) {
            Session session = new Session();
            saving.add(Thread.ofVirtual().name("session-save-" + i).start(session::save));
        }
        Service.awaitWaiting(saving);
        AtomicInteger served = new AtomicInteger();
        for (int i = 0; i < 40; i++) {
            Thread.ofVirtual().name("request-" + i).start(served::incrementAndGet);
        }
        Service.run();
    }
}
