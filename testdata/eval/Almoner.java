import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The only thread of a scheduler reads from a child process; three threads wait for later tasks of it. */
public class Almoner {
    private final ScheduledExecutorService rounds =
            Executors.newScheduledThreadPool(1, r -> new Thread(r, "sched-1"));

    private int collect() throws IOException {
        InputStream purse = new ProcessBuilder("cat").start().getInputStream();
        return count(purse);
    }

    private int count(InputStream purse) throws IOException {
        byte[] coins = new byte[256];
        int sum = 0;
        for (int n = purse.read(coins); n > 0; n = purse.read(coins)) {
            sum += n;
        }
        return sum;
    }

    void ask() {
        ScheduledFuture<String> gift = rounds.schedule(() -> "bread", 200, TimeUnit.MILLISECONDS);
        try {
            System.out.println(gift.get());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Almoner almoner = new Almoner();
        almoner.rounds.schedule(almoner::collect, 0, TimeUnit.SECONDS);
        Thread.sleep(200);
        for (int i = 1; i <= 3; i++) {
            new Thread(almoner::ask, "t-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
