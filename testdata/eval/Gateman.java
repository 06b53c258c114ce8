import java.util.concurrent.atomic.AtomicReference;

/** A hand-written lock of compare-and-set: its owner sleeps, two threads try again and again. */
public class Gateman {
    static class Gate {
        private final AtomicReference<Thread> keeper = new AtomicReference<>();

        void enter() {
            Thread me = Thread.currentThread();
            while (!keeper.compareAndSet(null, me)) {
                Thread.yield();
            }
        }

        void leave() {
            keeper.set(null);
        }
    }

    private final Gate gate = new Gate();

    private void pass(long rest) {
        gate.enter();
        try {
            picnic(rest);
        } finally {
            gate.leave();
        }
    }

    private void picnic(long rest) {
        try {
            Thread.sleep(rest);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Gateman man = new Gateman();
        new Thread(() -> man.pass(86_400_000), "t-1").start();
        Thread.sleep(200);
        new Thread(() -> man.pass(1), "t-2").start();
        new Thread(() -> man.pass(2), "t-3").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
