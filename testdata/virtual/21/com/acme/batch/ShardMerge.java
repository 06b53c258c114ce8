package com.acme.batch;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Seven of eight virtual threads wait at a barrier for eight; the eighth has ended with an exception before it. */
public class ShardMerge {
    private final CyclicBarrier sorted = new CyclicBarrier(8);

    void mergeShard(int shard, String header) {
        if (!header.startsWith("v2")) {
            throw new IllegalArgumentException("shard " + shard + ": " + header);
        }
        awaitOthers();
    }

    private void awaitOthers() {
        try {
            sorted.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        ShardMerge merge = new ShardMerge();
        List<Thread> shards = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int shard = i;
            Thread thread = Thread.ofVirtual().name("shard-" + i)
                    .unstarted(() -> merge.mergeShard(shard, shard == 5 ? "v1" : "v2"));
            thread.setUncaughtExceptionHandler((t, e) -> System.err.println(t.getName() + ": " + e.getMessage()));
            shards.add(thread);
            thread.start();
        }
        shards.remove(5).join();
        Service.awaitWaiting(shards);
        Service.run();
    }
}
