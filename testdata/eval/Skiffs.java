import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

/** A deque as a pool of boats: two threads rest with theirs, four keep asking with a time limit. */
public class Skiffs {
    static class Boat {
        void row() throws InterruptedException {
            synchronized (this) {
                wait(TimeUnit.HOURS.toMillis(2));
            }
        }
    }

    private final LinkedBlockingDeque<Boat> shore = new LinkedBlockingDeque<>();

    void trip() {
        try {
            Boat boat = launch();
            try {
                boat.row();
            } finally {
                shore.putFirst(boat);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Boat launch() throws InterruptedException {
        Boat boat = null;
        while (boat == null) {
            boat = shore.pollFirst(20, TimeUnit.SECONDS);
        }
        return boat;
    }

    public static void main(String[] args) throws Exception {
        Skiffs skiffs = new Skiffs();
        skiffs.shore.add(new Boat());
        skiffs.shore.add(new Boat());
        for (int i = 1; i <= 6; i++) {
            new Thread(skiffs::trip, "t-" + i).start();
            Thread.sleep(50);
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
