package com.acme.shop;

import com.acme.ops.Service;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** Healthy: 10,000 virtual threads wait for requests in the queue of a pool; one comes now and then. */
public class RequestPool {
    private final BlockingQueue<Runnable> requests = new LinkedBlockingQueue<>();

    void serveRequests(CountDownLatch started) {
        started.countDown();
        try {
            while (true) {
                requests.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        RequestPool pool = new RequestPool();
        CountDownLatch started = new CountDownLatch(10_000);
        for (int i = 0; i < 10_000; i++) {
            Thread.ofVirtual().name("request-worker-" + i).start(() -> pool.serveRequests(started));
        }
        started.await();
        Thread.sleep(500);
        Service.ready();
        for (long n = 0; ; n++) {
            long request = n;
            pool.requests.put(() -> Math.sqrt(request));
            Thread.sleep(250);
        }
    }
}
