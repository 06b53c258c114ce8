package com.example.orders;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

final class Ledger {
    private final List<String> entries = new ArrayList<>();
    private final AtomicLong checkpoints = new AtomicLong();

    synchronized void charge(String item, int count) {
        entries.add("charge " + count + " " + item);
    }

    synchronized void credit(String item, int count) {
        entries.add("credit " + count + " " + item);
    }

    void checkpoint() {
        checkpoints.incrementAndGet();
    }
}
