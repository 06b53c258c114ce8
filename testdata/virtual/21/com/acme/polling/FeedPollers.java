package com.acme.polling;

import com.acme.ops.Service;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Healthy: 5,000 virtual threads poll a feed each, once in five to ten seconds, and sleep in between. */
public class FeedPollers {
    private static final AtomicLong POLLS = new AtomicLong();

    static void pollForever(int feed, CountDownLatch started) {
        try {
            while (true) {
                poll(feed);
                started.countDown();
                pause(feed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void poll(int feed) {
        POLLS.addAndGet(feed % 3);
    }

    private static void pause(int feed) throws InterruptedException {
        Thread.sleep(5_000 + feed % 5_000);
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch started = new CountDownLatch(5_000);
        for (int i = 0; i < 5_000; i++) {
            int feed = i;
            Thread.ofVirtual().name("feed-" + i).start(() -> pollForever(feed, started));
        }
        started.await();
        Service.run();
    }
}
