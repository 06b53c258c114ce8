import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Every worker of a fixed pool waits for a task that it gave to the same pool. */
public class Bakery {
    private final ExecutorService ovens = Executors.newFixedThreadPool(2);

    private int bake(int loaves) throws Exception {
        Future<Integer> dough = ovens.submit(() -> loaves * 3);
        Thread.sleep(100);
        return knead(dough) + loaves;
    }

    private int knead(Future<Integer> dough) throws Exception {
        return dough.get();
    }

    public static void main(String[] args) throws Exception {
        Bakery bakery = new Bakery();
        List<Future<Integer>> batches = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int loaves = i;
            batches.add(bakery.ovens.submit(() -> bakery.bake(loaves)));
        }
        Thread.sleep(500);
        System.out.println("READY");
        int sum = 0;
        for (Future<Integer> batch : batches) {
            sum += batch.get();
        }
        System.out.println(sum);
    }
}
