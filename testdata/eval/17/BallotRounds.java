import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;

/** Votes of the districts are tallied in rounds; a round ends when the registrar closes its ballot window. */
public class BallotRounds {

    static final class BallotBox {
        private final int[] votes = new int[6];
        private int cast;

        synchronized void cast(int party) {
            votes[party]++;
            cast++;
        }

        synchronized int[] empty() {
            int[] copy = votes.clone();
            java.util.Arrays.fill(votes, 0);
            cast = 0;
            return copy;
        }

        synchronized int count() {
            return cast;
        }
    }

    static final class Tally implements Runnable {
        private final Phaser rounds;
        private final BallotBox box;
        private final long[] sums = new long[6];
        private final AtomicInteger arrived;

        Tally(Phaser rounds, BallotBox box, AtomicInteger arrived) {
            this.rounds = rounds;
            this.box = box;
            this.arrived = arrived;
        }

        @Override
        public void run() {
            while (!rounds.isTerminated()) {
                countRound();
                endRound();
            }
        }

        private void countRound() {
            int[] votes = box.empty();
            for (int i = 0; i < votes.length; i++) {
                sums[i] += votes[i];
            }
        }

        private void endRound() {
            arrived.incrementAndGet();
            rounds.arriveAndAwaitAdvance();
        }
    }

    static final class Registrar implements Runnable {
        private final Phaser rounds;
        private final List<BallotBox> boxes;

        Registrar(Phaser rounds, List<BallotBox> boxes) {
            this.rounds = rounds;
            this.boxes = boxes;
        }

        @Override
        public void run() {
            try {
                for (int round = 0; round < 60; round++) {
                    holdWindow(round);
                    rounds.arrive();
                }
                rounds.forceTermination();
            } catch (InterruptedException e) {
                rounds.forceTermination();
            }
        }

        private void holdWindow(int round) throws InterruptedException {
            for (int minute = 0; minute < 28; minute++) {
                for (BallotBox b : boxes) {
                    b.cast((round + minute) % 6);
                }
                Thread.sleep(250);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int districts = 5;
        Phaser rounds = new Phaser(districts + 1) {
            @Override
            protected boolean onAdvance(int phase, int registered) {
                System.out.println("round " + phase + " closed");
                return false;
            }
        };
        AtomicInteger arrived = new AtomicInteger();
        List<BallotBox> boxes = new ArrayList<>();
        for (int i = 0; i < districts; i++) {
            BallotBox box = new BallotBox();
            boxes.add(box);
            new Thread(new Tally(rounds, box, arrived), "tally-district-" + i).start();
        }
        new Thread(new Registrar(rounds, boxes), "registrar").start();
        while (rounds.getPhase() < 1 || arrived.get() < districts * 2) {
            Thread.sleep(20);
        }
        System.out.println("READY");
        System.out.flush();
    }
}
