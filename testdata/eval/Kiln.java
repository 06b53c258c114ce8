import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** An executor whose rejection handler puts into its own full queue: submitters block, both workers sleep. */
public class Kiln {
    private final ThreadPoolExecutor fires = new ThreadPoolExecutor(2, 2, 10, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(4), (task, pool) -> push(task, pool));

    static void push(Runnable task, ThreadPoolExecutor pool) {
        try {
            pool.getQueue().put(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void glaze() {
        for (int degree = 0; degree < 100_000; degree++) {
            try {
                Thread.sleep(500);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    void order(int pots) {
        for (int i = 0; i < pots; i++) {
            fires.execute(this::glaze);
        }
    }

    public static void main(String[] args) throws Exception {
        Kiln kiln = new Kiln();
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> kiln.order(10), "t-" + i).start();
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
