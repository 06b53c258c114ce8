package com.acme.payments;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** Forty payments, a virtual thread each, wait for CompletableFutures that the reader of answers, which has ended, completed. */
public class CardGateway {
    private final Map<Integer, CompletableFuture<String>> pending = new ConcurrentHashMap<>();

    String authorize(int payment) throws InterruptedException {
        CompletableFuture<String> answer = pending.computeIfAbsent(payment, p -> new CompletableFuture<>());
        return awaitAnswer(answer);
    }

    private String awaitAnswer(CompletableFuture<String> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            return "declined: " + e.getCause();
        }
    }

    public static void main(String[] args) throws Exception {
        CardGateway gateway = new CardGateway();
        List<Thread> payments = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int payment = i;
            payments.add(Thread.ofVirtual().name("payment-" + i).start(() -> {
                try {
                    gateway.authorize(payment);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        Service.awaitWaiting(payments);
        Service.run();
    }
}
