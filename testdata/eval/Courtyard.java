import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A single-thread executor's task calls invokeAll on that executor. */
public class Courtyard {
    static final class Gardener {
        private final ExecutorService hands = Executors.newSingleThreadExecutor(r -> new Thread(r, "g-1"));

        Future<Integer> morning() {
            return hands.submit(this::round);
        }

        private int round() throws Exception {
            List<Callable<Integer>> beds = Arrays.asList(() -> 1, () -> 2, () -> 3);
            int watered = 0;
            for (Future<Integer> bed : hands.invokeAll(beds)) {
                watered += bed.get();
            }
            return watered;
        }
    }

    public static void main(String[] args) throws Exception {
        Gardener gardener = new Gardener();
        Future<Integer> morning = gardener.morning();
        Thread.sleep(400);
        System.out.println("READY");
        System.out.println(morning.get());
    }
}
