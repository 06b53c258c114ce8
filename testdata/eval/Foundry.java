import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A thread waits inside an inner object while it still holds the outer monitor, which whoever would notify it needs
 * first.
 */
public class Foundry {
    static class Bin {
        private final Deque<String> parts = new ArrayDeque<>();

        synchronized String take() throws InterruptedException {
            while (parts.isEmpty()) {
                wait();
            }
            return parts.remove();
        }

        synchronized void put(String part) {
            parts.add(part);
            notify();
        }
    }

    private final Bin bin = new Bin();

    synchronized String cast() throws InterruptedException {
        return bin.take();
    }

    synchronized void deliver(String part) {
        bin.put(part);
    }

    public static void main(String[] args) throws Exception {
        Foundry foundry = new Foundry();
        new Thread(() -> {
            try {
                System.out.println(foundry.cast());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "t-1").start();
        Thread.sleep(300);
        for (int i = 2; i < 4; i++) {
            new Thread(() -> foundry.deliver("ingot"), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
