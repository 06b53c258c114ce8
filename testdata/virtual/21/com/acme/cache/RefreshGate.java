package com.acme.cache;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;

/**
 * Readers wait in Object.wait until a refresh ends. The refresh failed and has not called notifyAll. Up to JDK 23 Object.wait
 * keeps the carrier, and the JDK adds carriers for that; from 24 on the threads are unmounted.
 */
public class RefreshGate {
    private boolean refreshing = true;

    synchronized void awaitRefresh() {
        while (refreshing) {
            try {
                wait();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    void refresh(String line) {
        int value = Integer.parseInt(line);
        synchronized (this) {
            refreshing = value < 0;
            notifyAll();
        }
    }

    private void read(int key) {
        awaitRefresh();
        System.out.println("value of " + key);
    }

    public static void main(String[] args) throws Exception {
        RefreshGate gate = new RefreshGate();
        Thread refresh = Thread.ofVirtual().name("cache-refresh").unstarted(() -> gate.refresh("n/a"));
        refresh.setUncaughtExceptionHandler((thread, e) -> System.err.println(thread.getName() + ": " + e));
        refresh.start();
        refresh.join();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int key = i;
            readers.add(Thread.ofVirtual().name("cache-read-" + i).start(() -> gate.read(key)));
        }
        Service.awaitWaiting(readers);
        Service.run();
    }
}
