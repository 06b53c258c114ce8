import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** For each question an executor of four threads is made, and left behind when the best answer is known. */
public class Outriders {
    private static volatile int asked;

    static class Captain implements Runnable {
        @Override
        public void run() {
            try {
                for (int n = 1; ; n++) {
                    ask(n);
                    asked = n;
                    Thread.sleep(320);
                }
            } catch (Exception e) {
                System.err.println(e);
            }
        }

        int ask(int n) throws Exception {
            ExecutorService riders = Executors.newFixedThreadPool(4);
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 1; i <= 4; i++) {
                int way = i;
                answers.add(riders.submit(() -> ride(n, way)));
            }
            int best = Integer.MAX_VALUE;
            for (Future<Integer> answer : answers)
                best = Math.min(best, answer.get(2, TimeUnit.SECONDS));
            return best;
        }

        int ride(int n, int way) throws InterruptedException {
            Thread.sleep(8);
            return (n * 31 + way * 7) % 97;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread captain = new Thread(new Captain(), "t-1");
        captain.start();
        while (asked < 10)
            Thread.sleep(50);
        System.out.println("READY");
        captain.join();
    }
}
