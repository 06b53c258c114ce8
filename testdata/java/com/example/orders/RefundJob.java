package com.example.orders;

import java.util.concurrent.CountDownLatch;

final class RefundJob {
    private final Inventory inventory;
    private final Ledger ledger;
    private final CountDownLatch rush;

    RefundJob(Inventory inventory, Ledger ledger, CountDownLatch rush) {
        this.inventory = inventory;
        this.ledger = ledger;
        this.rush = rush;
    }

    void run() {
        synchronized (ledger) {
            ledger.credit("espresso machine", 1);
            OrderService.rendezvous(rush);
            inventory.putBack("espresso machine", 1);
        }
    }
}
