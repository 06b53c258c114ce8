import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A pool worker polls an empty queue without pause. */
public class Angler {
    private final Queue<String> river = new ConcurrentLinkedQueue<>();

    private String cast() {
        String fish = river.poll();
        while (fish == null) {
            fish = river.poll();
        }
        return fish;
    }

    private void day() {
        for (int caught = 0; caught < 10; caught++) {
            System.out.println(cast());
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService bank = Executors.newFixedThreadPool(2);
        Angler angler = new Angler();
        bank.execute(angler::day);
        bank.execute(() -> System.out.println("quiet"));
        Thread.sleep(400);
        System.out.println("READY");
    }
}
