package com.acme.inventory;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stock moves between warehouses, a virtual thread each. Two of them enter the monitors of two warehouses in opposite order:
 * a deadlock over monitors. The threads keep their carriers up to JDK 23, and are unmounted from 24 on. Two more wait behind.
 */
public class StockRebalancer {
    static final class Warehouse {
        private final String city;
        private int pallets = 40;

        Warehouse(String city) {
            this.city = city;
        }

        synchronized void ship(Warehouse to, int count, AtomicInteger ready) {
            pallets -= count;
            ready.incrementAndGet();
            while (ready.get() < 2) {
                Thread.onSpinWait();
            }
            to.receive(count);
        }

        synchronized void receive(int count) {
            pallets += count;
        }

        @Override
        public String toString() {
            return city;
        }
    }

    public static void main(String[] args) throws Exception {
        Warehouse north = new Warehouse("Hamburg");
        Warehouse south = new Warehouse("Munich");
        AtomicInteger ready = new AtomicInteger();
        List<Thread> moves = new ArrayList<>();
        moves.add(Thread.ofVirtual().name("rebalance-north").start(() -> north.ship(south, 3, ready)));
        moves.add(Thread.ofVirtual().name("rebalance-south").start(() -> south.ship(north, 5, ready)));
        Service.awaitWaiting(moves);
        moves.add(Thread.ofPlatform().name("goods-in-north").daemon().start(() -> north.receive(1)));
        moves.add(Thread.ofPlatform().name("goods-in-south").daemon().start(() -> south.receive(1)));
        Service.awaitWaiting(moves);
        Service.run();
    }
}
