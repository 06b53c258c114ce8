package com.acme.plugins;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The tables of two countries are loaded by static initialisers that wait for a download which never ends. A virtual thread that
 * initialises a class keeps its carrier on every JDK: both carriers are taken, 30 requests cannot run.
 */
public class TaxRules {
    private static final CompletableFuture<Map<String, Integer>> DOWNLOAD = new CompletableFuture<>();

    static final class German {
        static final Map<String, Integer> RATES = awaitRates();

        private German() {
        }
    }

    static final class French {
        static final Map<String, Integer> RATES = awaitRates();

        private French() {
        }
    }

    private static Map<String, Integer> awaitRates() {
        return DOWNLOAD.join();
    }

    static int germanTax(int cents) {
        return cents * German.RATES.getOrDefault("standard", 19) / 100;
    }

    static int frenchTax(int cents) {
        return cents * French.RATES.getOrDefault("standard", 20) / 100;
    }

    public static void main(String[] args) throws Exception {
        List<Thread> first = new ArrayList<>();
        first.add(Thread.ofVirtual().name("checkout-de").start(() -> germanTax(1999)));
        first.add(Thread.ofVirtual().name("checkout-fr").start(() -> frenchTax(2499)));
        Service.awaitWaiting(first);
        AtomicInteger served = new AtomicInteger();
        for (int i = 0; i < 30; i++) {
            Thread.ofVirtual().name("request-" + i).start(served::incrementAndGet);
        }
        Service.run();
    }
}
