package com.acme.offers;

import java.util.concurrent.CountDownLatch;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Offers for freight routes with Reactor; a campaign brings many requests at once. */
public class OfferApp {
    public static void main(String[] args) throws Exception {
        Scheduler blocking = Schedulers.newBoundedElastic(4, 1_000, "carrier-calls");
        OfferService offers = new OfferService(blocking);
        System.out.println("first offer: " + offers.best("HAM-MUC").block());
        CountDownLatch answered = new CountDownLatch(25);
        Flux.range(1, 25)
                .flatMap(i -> offers.best("route-" + i))
                .subscribe(price -> answered.countDown());
        int before;
        do {
            before = offers.begun();
            Thread.sleep(800);
        } while (offers.begun() != before);
        System.out.println("READY");
        answered.await();
    }
}
