package com.acme.accounts;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers balance requests; one of them asks for an account that is not in memory. */
public class AccountApp {
    public static void main(String[] args) throws Exception {
        AccountRepository accounts = new AccountRepository(new Ledger());
        for (int i = 0; i < 100; i++) {
            accounts.open("DE00" + i, i * 1_000L);
        }
        AtomicInteger number = new AtomicInteger();
        ExecutorService requests = Executors.newFixedThreadPool(5, task -> new Thread(task, "balance-" + number.incrementAndGet()));
        for (int i = 0; i < 1_000; i++) {
            String iban = "DE00" + i % 100;
            requests.submit(() -> accounts.balance(iban));
        }
        requests.submit(() -> accounts.balance("FR7630006000"));
        Thread.sleep(500);
        for (int i = 0; i < 50; i++) {
            String iban = "DE00" + i;
            requests.submit(() -> accounts.balance(iban));
        }
        Thread.sleep(1_000);
        System.out.println("READY");
        requests.awaitTermination(1, TimeUnit.DAYS);
    }
}
