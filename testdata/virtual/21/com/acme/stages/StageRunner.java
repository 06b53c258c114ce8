package com.acme.stages;

import com.acme.ops.Service;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Three virtual threads, the stages of an import: each waits for the end of the one before it, the first for the last. */
public class StageRunner {
    private final AtomicReferenceArray<Thread> stages = new AtomicReferenceArray<>(3);
    private final CountDownLatch wired = new CountDownLatch(1);

    void runStage(int number) {
        try {
            wired.await();
            awaitStage(stages.get((number + 2) % 3));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitStage(Thread before) throws InterruptedException {
        before.join();
    }

    public static void main(String[] args) throws Exception {
        StageRunner runner = new StageRunner();
        String[] names = {"stage-extract", "stage-transform", "stage-load"};
        Thread[] all = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int number = i;
            all[i] = Thread.ofVirtual().name(names[i]).unstarted(() -> runner.runStage(number));
            runner.stages.set(i, all[i]);
        }
        for (Thread stage : all) {
            stage.start();
        }
        Service.awaitWaiting(all);
        runner.wired.countDown();
        Thread.sleep(200);
        Service.awaitWaiting(all);
        Service.run();
    }
}
