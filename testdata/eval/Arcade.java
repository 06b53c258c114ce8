import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The common pool is taken up by tasks that sleep; callers wait for quick ones queued behind them. */
public class Arcade {
    static int play(int hours) {
        try {
            TimeUnit.HOURS.sleep(hours);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return hours;
    }

    static void watch(CompletableFuture<Integer> score) {
        System.out.println(score.thenApply(s -> s + 1).join());
    }

    public static void main(String[] args) throws Exception {
        List<CompletableFuture<Integer>> games = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            games.add(CompletableFuture.supplyAsync(() -> play(4)));
        }
        Thread.sleep(200);
        for (int i = 1; i <= 3; i++) {
            CompletableFuture<Integer> quick = CompletableFuture.supplyAsync(() -> play(0));
            games.add(quick);
            new Thread(() -> watch(quick), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
