package com.acme.tiles;

import com.acme.ops.Service;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A pool of four virtual threads renders tiles; each tile submits its layers to the same pool and waits for them. All four
 * wait for tasks that are in the pool's queue: a pool deadlock.
 */
public class TileRenderer {
    private final ExecutorService pool =
            Executors.newFixedThreadPool(4, Thread.ofVirtual().name("tile-", 1).factory());
    private final CountDownLatch started = new CountDownLatch(4);

    int renderTile(int tile) {
        started.countDown();
        await(started);
        Future<Integer> layer = pool.submit(() -> tile * 2);
        return awaitLayer(layer);
    }

    private int awaitLayer(Future<Integer> layer) {
        try {
            return layer.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        TileRenderer renderer = new TileRenderer();
        for (int i = 0; i < 4; i++) {
            int tile = i;
            renderer.pool.submit(() -> renderer.renderTile(tile));
        }
        renderer.started.await();
        Thread.sleep(500);
        Service.run();
    }
}
