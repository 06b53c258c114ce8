package com.acme.heartbeat;

import com.acme.ops.Service;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Healthy: a scheduler starts a virtual thread for each of thirty members, four times a second; each waits up to 40 ms. */
public class ClusterHeartbeat {
    private final AtomicLong beats = new AtomicLong();

    void beat(int member) {
        try {
            Thread.sleep(10 + member);
            beats.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        ClusterHeartbeat cluster = new ClusterHeartbeat();
        ScheduledExecutorService clock =
                Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("cluster-clock").factory());
        clock.scheduleAtFixedRate(() -> {
            for (int i = 0; i < 30; i++) {
                int member = i;
                Thread.ofVirtual().name("heartbeat-" + i).start(() -> cluster.beat(member));
            }
        }, 0, 250, TimeUnit.MILLISECONDS);
        Service.await(() -> cluster.beats.get() > 60);
        Service.run();
    }
}
