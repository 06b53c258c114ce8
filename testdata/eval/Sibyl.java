import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Requests wait for futures whose replies were filed under another number. */
public class Sibyl {
    private final Map<Integer, CompletableFuture<String>> open = new HashMap<>();

    private synchronized CompletableFuture<String> send(int number) {
        return open.computeIfAbsent(number, n -> new CompletableFuture<>());
    }

    private synchronized void reply(int number, String text) {
        CompletableFuture<String> question = open.get(number + 10);
        if (question != null) {
            question.complete(text);
        }
    }

    private String ask(int number) {
        CompletableFuture<String> question = send(number);
        reply(number, "perhaps");
        try {
            return question.get();
        } catch (InterruptedException | ExecutionException e) {
            return "no";
        }
    }

    public static void main(String[] args) throws Exception {
        Sibyl sibyl = new Sibyl();
        for (int i = 1; i <= 3; i++) {
            int number = i;
            new Thread(() -> System.out.println(sibyl.ask(number)), "t-" + i).start();
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
