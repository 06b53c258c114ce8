import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Every call goes through one dispatcher thread, which sleeps in a listener; callers wait for their answers. */
public class Switchboard {
    private final Executor operator = Executors.newSingleThreadExecutor(r -> {
        Thread t = new Thread(r, "d-1");
        t.setDaemon(true);
        return t;
    });

    CompletableFuture<String> dial(int number) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        operator.execute(() -> answer.complete(connect(number)));
        return answer;
    }

    private String connect(int number) {
        if (number == 13) {
            hold();
        }
        return "line " + number;
    }

    private void hold() {
        try {
            TimeUnit.DAYS.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Switchboard board = new Switchboard();
        for (int i = 10; i < 16; i++) {
            int number = i;
            new Thread(() -> System.err.println(board.dial(number).join()), "t-" + i).start();
            Thread.sleep(60);
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
