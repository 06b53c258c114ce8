package com.acme.boot;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Modules start in virtual threads, each joins the thread of the module that it needs. The last one of the chain waits for a
 * license that no thread delivers.
 */
public class ModuleLoader {
    private final CompletableFuture<String> license = new CompletableFuture<>();
    private final List<Thread> modules = new ArrayList<>();

    void add(String name) {
        Thread needed = modules.isEmpty() ? null : modules.getLast();
        modules.add(Thread.ofVirtual().name("module-" + name).start(() -> startModule(name, needed)));
    }

    private void startModule(String name, Thread needed) {
        if (needed == null) {
            checkLicense(name);
        } else {
            awaitModule(needed);
        }
    }

    private void awaitModule(Thread needed) {
        try {
            needed.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void checkLicense(String name) {
        String text = license.join();
        if (!text.contains(name)) {
            throw new IllegalStateException("no license for " + name);
        }
    }

    public static void main(String[] args) throws Exception {
        ModuleLoader loader = new ModuleLoader();
        for (String name : List.of("core", "storage", "accounts", "orders", "web")) {
            loader.add(name);
        }
        Service.awaitWaiting(loader.modules);
        Service.ready();
        loader.awaitModule(loader.modules.getLast());
    }
}
