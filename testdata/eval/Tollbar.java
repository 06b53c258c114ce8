import java.util.concurrent.atomic.AtomicInteger;

/** A lock by tickets: whose turn it is sleeps, the others compare numbers in a loop that calls nothing once it is compiled. */
public class Tollbar {
    private final AtomicInteger tickets = new AtomicInteger();
    private volatile int turn;

    private void enter() {
        int mine = tickets.getAndIncrement();
        while (turn != mine) {
        }
    }

    private void cross(long millis) {
        enter();
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            turn++;
        }
    }

    public static void main(String[] args) throws Exception {
        Tollbar gate = new Tollbar();
        new Thread(() -> gate.cross(600_000), "t-1").start();
        Thread.sleep(100);
        for (int i = 2; i <= 3; i++) {
            new Thread(() -> gate.cross(1), "t-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
