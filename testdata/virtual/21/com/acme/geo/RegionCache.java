package com.acme.geo;

import com.acme.ops.Service;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Two virtual threads compute regions in a ConcurrentHashMap, each needs the region that the other computes: a deadlock over
 * the monitors of the map's bins.
 */
public class RegionCache {
    private final ConcurrentHashMap<Integer, String> regions = new ConcurrentHashMap<>(64);
    private final CountDownLatch computing = new CountDownLatch(2);

    String region(int id, int neighbour) {
        return regions.computeIfAbsent(id, key -> compute(key, neighbour));
    }

    private String compute(int id, int neighbour) {
        meet();
        return id + " next to " + regions.computeIfAbsent(neighbour, key -> "region " + key);
    }

    private void meet() {
        computing.countDown();
        try {
            if (!computing.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the other region was not asked for");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        RegionCache cache = new RegionCache();
        Thread alps = Thread.ofVirtual().name("tour-alps").start(() -> cache.region(3, 11));
        Thread coast = Thread.ofVirtual().name("tour-coast").start(() -> cache.region(11, 3));
        cache.computing.await();
        Service.await(() -> alps.getState() == Thread.State.BLOCKED && coast.getState() == Thread.State.BLOCKED);
        Service.run();
    }
}
