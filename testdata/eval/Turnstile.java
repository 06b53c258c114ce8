/** Six threads pass one monitor again and again, each 40 ms inside: the owner changes, the queue stays. */
public class Turnstile {
    private final Object gate = new Object();
    private long passed;

    void day() {
        while (!Thread.currentThread().isInterrupted()) {
            enter();
            walk(2);
        }
    }

    private void enter() {
        synchronized (gate) {
            stamp();
            passed++;
        }
    }

    private void stamp() {
        walk(40);
    }

    private static void walk(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Turnstile turnstile = new Turnstile();
        for (int i = 1; i <= 6; i++) {
            new Thread(turnstile::day, "t-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
