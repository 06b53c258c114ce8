import java.util.concurrent.locks.LockSupport;

/** A game without players: a thread computes a frame for 3 ms, and parks itself until the next one is due. */
public class Treadmill {
    private long state = 1;

    private void frame() {
        long end = System.nanoTime() + 3_000_000;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1000; i++) {
                state = state * 31 + (state >>> 7);
            }
        }
        rest();
    }

    private void rest() {
        LockSupport.parkNanos(12_000_000);
    }

    private void play() {
        while (state != 0) {
            frame();
        }
    }

    public static void main(String[] args) throws Exception {
        new Thread(new Treadmill()::play, "t-1").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
