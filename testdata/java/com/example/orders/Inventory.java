package com.example.orders;

import java.util.HashMap;
import java.util.Map;

final class Inventory {
    private final Map<String, Integer> stock = new HashMap<>();

    synchronized void reserve(String item, int count) {
        stock.merge(item, -count, Integer::sum);
    }

    synchronized void putBack(String item, int count) {
        stock.merge(item, count, Integer::sum);
    }

    synchronized int available(String item) {
        return stock.getOrDefault(item, 0);
    }
}
