package com.acme.cart;

import com.acme.ops.Scopes;
import com.acme.ops.Service;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/** Healthy: eight virtual threads price carts in structured scopes of three subtasks, each of some milliseconds. */
public class CartPricing {
    private final AtomicLong priced = new AtomicLong();

    void price(int cart) throws Throwable {
        Object scope = Scopes.OPEN.invoke();
        try {
            Object unused = Scopes.FORK.invoke(scope, (Callable<Integer>) () -> part(cart, 3));
            unused = Scopes.FORK.invoke(scope, (Callable<Integer>) () -> part(cart, 7));
            unused = Scopes.FORK.invoke(scope, (Callable<Integer>) () -> part(cart, 12));
            awaitParts(scope);
        } finally {
            Scopes.CLOSE.invoke(scope);
        }
        priced.incrementAndGet();
    }

    private void awaitParts(Object scope) throws Throwable {
        Scopes.JOIN.invoke(scope);
    }

    private int part(int cart, int millis) throws InterruptedException {
        Thread.sleep(millis);
        return cart + millis;
    }

    private void priceAll(int first) {
        try {
            for (int cart = first; ; cart++) {
                price(cart);
            }
        } catch (Throwable e) {
            e.printStackTrace();
        }
    }

    public static void main(String[] args) throws Exception {
        CartPricing pricing = new CartPricing();
        for (int i = 0; i < 8; i++) {
            int first = i;
            Thread.ofVirtual().name("cart-request-" + i).start(() -> pricing.priceAll(first));
        }
        Service.await(() -> pricing.priced.get() > 100);
        Service.run();
    }
}
