package com.acme.scoring;

import com.acme.ops.Service;
import java.util.concurrent.CountDownLatch;

/** Two virtual threads compute without end on both carriers; a hundred requests wait for one. */
public class RiskScorer {
    private volatile double worst;

    void simulate(long seed) {
        double sum = 1;
        for (long path = seed; sum != 0; path++) {
            sum = scorePath(path) + 1;
            worst = Math.max(worst, sum);
        }
    }

    private double scorePath(long path) {
        double score = 1;
        for (int step = 0; step < 5_000; step++) {
            score += Math.sqrt(score + path % 17) / (step + 1);
        }
        return score;
    }

    public static void main(String[] args) throws Exception {
        RiskScorer scorer = new RiskScorer();
        CountDownLatch answered = new CountDownLatch(100);
        for (int i = 0; i < 2; i++) {
            int seed = i;
            Thread.ofVirtual().name("simulation-" + i).start(() -> scorer.simulate(seed));
        }
        Service.await(() -> scorer.worst > 1);
        Thread.sleep(300);
        for (int i = 0; i < 100; i++) {
            Thread.ofVirtual().name("score-request-" + i).start(answered::countDown);
        }
        Service.ready();
        answered.await();
    }
}
