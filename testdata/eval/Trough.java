/** A hand-written bounded buffer is full: its writers wait, its one reader rests. */
public class Trough {
    private final int[] feed = new int[16];
    private int used;

    synchronized void pour(int amount) throws InterruptedException {
        while (used == feed.length) {
            wait();
        }
        feed[used++] = amount;
        notifyAll();
    }

    synchronized int eat() throws InterruptedException {
        while (used == 0) {
            wait();
        }
        notifyAll();
        return feed[--used];
    }

    void digest(int amount) throws InterruptedException {
        Thread.sleep(amount * 36_000_000L);
    }

    interface Body {
        void go() throws InterruptedException;
    }

    static void start(String name, Body body) {
        new Thread(() -> {
            try {
                while (true) {
                    body.go();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name).start();
    }

    public static void main(String[] args) throws Exception {
        Trough trough = new Trough();
        start("h1", () -> trough.digest(trough.eat()));
        for (int i = 2; i <= 4; i++) {
            start("h" + i, () -> trough.pour(1));
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
