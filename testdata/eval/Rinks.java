import java.util.concurrent.Semaphore;

/** Permits of a semaphore were lost on an exceptional path; their takers have ended and everyone else waits. */
public class Rinks {
    private final Semaphore ice = new Semaphore(3);

    void skate(int minutes) {
        try {
            ice.acquire();
        } catch (InterruptedException e) {
            return;
        }
        lap(minutes);
        ice.release();
    }

    private void lap(int minutes) {
        if (minutes < 0) {
            throw new IllegalArgumentException("minutes: " + minutes);
        }
    }

    public static void main(String[] args) throws Exception {
        Rinks rinks = new Rinks();
        for (int i = 1; i <= 3; i++) {
            Thread t = new Thread(() -> rinks.skate(-1), "t-" + i);
            t.setUncaughtExceptionHandler((thread, e) -> System.err.println(e.getMessage()));
            t.start();
            t.join();
        }
        for (int i = 4; i <= 8; i++) {
            new Thread(() -> rinks.skate(10), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
