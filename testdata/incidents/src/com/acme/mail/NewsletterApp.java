package com.acme.mail;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Sends a newsletter to two hundred addresses over a pool of five SMTP sessions; some addresses are malformed. */
public class NewsletterApp {
    public static void main(String[] args) throws Exception {
        GenericObjectPoolConfig<SmtpSession> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(5);
        config.setMaxIdle(5);
        config.setBlockWhenExhausted(true);
        GenericObjectPool<SmtpSession> sessions = new GenericObjectPool<>(new SmtpSessionFactory(), config);
        MailGateway gateway = new MailGateway(sessions);

        AtomicInteger number = new AtomicInteger();
        ExecutorService senders = Executors.newFixedThreadPool(6, task -> new Thread(task, "mail-sender-" + number.incrementAndGet()));
        for (int i = 1; i <= 200; i++) {
            String address = i % 12 == 0 ? "customer" + i : "customer" + i + "@example.com";
            senders.submit(() -> gateway.send(address, "Our offers in November"));
        }
        senders.shutdown();
        while (sessions.getNumWaiters() < 6) {
            Thread.sleep(100);
        }
        System.out.println("READY");
        senders.awaitTermination(1, TimeUnit.HOURS);
    }
}
