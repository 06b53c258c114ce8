import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.locks.LockSupport;

/** Both workers of a ForkJoinPool pause for hours in their tasks; callers wait for tasks queued behind them. */
public class Vineyard {
    private final ForkJoinPool pickers = new ForkJoinPool(2);

    private int press(int rows) {
        long end = System.nanoTime() + rows * 3_600_000_000_000L;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        return rows;
    }

    private void bottle(ForkJoinTask<Integer> row) {
        try {
            System.out.println(row.get());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Vineyard vineyard = new Vineyard();
        List<ForkJoinTask<Integer>> rows = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int row = i < 2 ? 2 : 0;
            rows.add(vineyard.pickers.submit(() -> vineyard.press(row)));
            Thread.sleep(60);
        }
        for (int i = 1; i <= 3; i++) {
            ForkJoinTask<Integer> row = rows.get(i + 1);
            new Thread(() -> vineyard.bottle(row), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
        vineyard.bottle(rows.get(0));
    }
}
