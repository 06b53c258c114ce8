package com.acme.gateway;

import com.acme.ops.Service;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Healthy: executors of virtual threads that have served requests and have nothing to do: one thread per task, a fixed pool, a
 * scheduler with a task of every hour.
 */
public class IdleGateway {
    static int handle(int request) {
        return request * 31;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
        ExecutorService workers = Executors.newFixedThreadPool(8, Thread.ofVirtual().name("worker-", 1).factory());
        ScheduledExecutorService timer =
                Executors.newScheduledThreadPool(2, Thread.ofVirtual().name("timer-", 1).factory());
        for (int i = 0; i < 20; i++) {
            int request = i;
            Future<Integer> direct = requests.submit(() -> handle(request));
            Future<Integer> pooled = workers.submit(() -> handle(request));
            if (!direct.get().equals(pooled.get())) {
                throw new IllegalStateException("different answers");
            }
        }
        timer.scheduleAtFixedRate(() -> handle(0), 1, 3600, TimeUnit.SECONDS);
        Service.run();
    }
}
