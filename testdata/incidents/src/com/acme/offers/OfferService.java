package com.acme.offers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Collects the offers of several carriers. All blocking work is to run on one bounded scheduler. */
class OfferService {
    private final Scheduler blocking;
    private final AtomicInteger begun = new AtomicInteger();

    OfferService(Scheduler blocking) {
        this.blocking = blocking;
    }

    Mono<Integer> best(String route) {
        return Mono.fromCallable(() -> collect(route)).subscribeOn(blocking);
    }

    int begun() {
        return begun.get();
    }

    private int collect(String route) {
        begun.incrementAndGet();
        List<Integer> prices = Flux.just("north", "south", "express")
                .flatMap(carrier -> ask(carrier, route))
                .collectList()
                .block();
        return prices.stream().mapToInt(Integer::intValue).min().orElseThrow();
    }

    private Mono<Integer> ask(String carrier, String route) {
        return Mono.fromCallable(() -> 100 + carrier.length() * route.length())
                .subscribeOn(blocking)
                .delaySubscription(Duration.ofMillis(20));
    }
}
