import java.util.Timer;
import java.util.TimerTask;

/** A rate limiter whose refill died of an exception: callers wait for tokens that never come. */
public class Fountain {
    static class Tokens {
        private int left = 2;

        synchronized void take() throws InterruptedException {
            while (left == 0) {
                wait();
            }
            left--;
        }

        synchronized void refill(String rate) {
            left += Integer.parseInt(rate);
            notifyAll();
        }
    }

    private final Tokens tokens = new Tokens();

    void serve() {
        try {
            while (true) {
                tokens.take();
                Thread.sleep(5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Fountain fountain = new Fountain();
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.err.println(e.getMessage()));
        new Timer(true).schedule(new TimerTask() {
            @Override
            public void run() {
                fountain.tokens.refill("many");
            }
        }, 20, 20);
        for (int i = 1; i <= 4; i++) {
            new Thread(fountain::serve, "t-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
