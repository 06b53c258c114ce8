package com.acme.throttle;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Ten permits for calls of a partner's API. Calls that failed have not given theirs back: none is left, and 60 virtual threads
 * wait for one. The threads that took the permits have ended.
 */
public class ApiLimiter {
    private final Semaphore permits = new Semaphore(10);

    String call(String path) throws InterruptedException {
        acquirePermit();
        String answer = send(path);
        permits.release();
        return answer;
    }

    private void acquirePermit() throws InterruptedException {
        permits.acquire();
    }

    private String send(String path) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("no path");
        }
        return "200 " + path;
    }

    private void callQuietly(String path) {
        try {
            call(path);
        } catch (InterruptedException | IllegalArgumentException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        ApiLimiter limiter = new ApiLimiter();
        for (int i = 0; i < 10; i++) {
            Thread.ofVirtual().name("sync-" + i).start(() -> limiter.callQuietly("")).join();
        }
        List<Thread> calls = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int id = i;
            calls.add(Thread.ofVirtual().name("api-call-" + i).start(() -> limiter.callQuietly("/orders/" + id)));
        }
        Service.awaitWaiting(calls);
        Service.run();
    }
}
