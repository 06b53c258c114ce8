package com.acme.devices;

import com.acme.ops.Service;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A virtual thread joins the thread that it started to probe a device, while it holds the registry's lock; the probe wants
 * that lock. Neither can go on. Ten lookups wait for the lock.
 */
public class DeviceRegistry {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, String> firmware = new HashMap<>();
    private volatile Thread probe;

    void register(String device) {
        lock.lock();
        try {
            probe = Thread.ofVirtual().name("probe-" + device).start(() -> storeFirmware(device));
            awaitProbe(probe);
        } finally {
            lock.unlock();
        }
    }

    private void awaitProbe(Thread running) {
        try {
            running.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void storeFirmware(String device) {
        lock.lock();
        try {
            firmware.put(device, "2.4.1");
        } finally {
            lock.unlock();
        }
    }

    String lookup(String device) {
        lock.lock();
        try {
            return firmware.get(device);
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        DeviceRegistry registry = new DeviceRegistry();
        Thread register = Thread.ofVirtual().name("register-pump-7").start(() -> registry.register("pump-7"));
        Service.await(() -> registry.probe != null);
        Service.awaitWaiting(register, registry.probe);
        Thread[] lookups = new Thread[10];
        for (int i = 0; i < lookups.length; i++) {
            lookups[i] = Thread.ofVirtual().name("lookup-" + i).start(() -> registry.lookup("pump-7"));
        }
        Service.awaitWaiting(lookups);
        Service.run();
    }
}
