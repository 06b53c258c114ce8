package com.acme.search;

import com.acme.ops.Scopes;
import com.acme.ops.Service;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * A search asks three indexes in a structured scope. Two answer; the third waits for a shard that never reports, so that the
 * scope's join does not return.
 */
public class SearchFanout {
    private final CompletableFuture<Integer> archiveShard = new CompletableFuture<>();
    private volatile Thread stuck;

    int search(String words) throws Throwable {
        Object scope = Scopes.OPEN.invoke();
        try {
            Object unused = Scopes.FORK.invoke(scope, (Callable<Integer>) () -> searchProducts(words));
            unused = Scopes.FORK.invoke(scope, (Callable<Integer>) () -> words.length());
            unused = Scopes.FORK.invoke(scope, (Callable<Integer>) () -> searchArchive(words));
            awaitHits(scope);
            return 3;
        } finally {
            Scopes.CLOSE.invoke(scope);
        }
    }

    private void awaitHits(Object scope) throws Throwable {
        Scopes.JOIN.invoke(scope);
    }

    private int searchProducts(String words) {
        return words.hashCode() & 0xff;
    }

    private int searchArchive(String words) {
        Thread.currentThread().setName("archive-search");
        stuck = Thread.currentThread();
        return archiveShard.join() + words.length();
    }

    public static void main(String[] args) throws Exception {
        SearchFanout fanout = new SearchFanout();
        Thread request = Thread.ofVirtual().name("search-request").start(() -> {
            try {
                fanout.search("garden chairs");
            } catch (Throwable e) {
                e.printStackTrace();
            }
        });
        Service.await(() -> fanout.stuck != null);
        Service.awaitWaiting(request, fanout.stuck);
        Service.run();
    }
}
