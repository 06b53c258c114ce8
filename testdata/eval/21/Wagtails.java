import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** Virtual threads join a future that nobody completes, and main waits for their tasks to end. */
public class Wagtails {
    private static final CompletableFuture<String> SPRING = new CompletableFuture<>();

    private static String wait(int bird) {
        return bird + SPRING.join();
    }

    public static void main(String[] args) throws Exception {
        try (var flock = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 15; i++) {
                int bird = i;
                flock.submit(() -> wait(bird));
            }
            Thread.sleep(500);
            System.out.println("READY");
        }
    }
}
