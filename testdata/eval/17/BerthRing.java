import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLongArray;

/** A harbour master looks round a ring of berths for a free one; ships that are struck off the list never free theirs. */
public class BerthRing {
    record Ship(long id, boolean listed) { }

    static final class Ring {
        private final AtomicLongArray berths = new AtomicLongArray(4);

        int moor(Ship ship) {
            int at = (int) (ship.id() & 3);
            while (true) {
                if (berths.compareAndSet(at, 0, ship.id())) {
                    return at;
                }
                if (++at == berths.length()) {
                    at = 0;
                }
                Thread.onSpinWait();
            }
        }

        void leave(int at, Ship ship) {
            if (ship.listed()) {
                berths.compareAndSet(at, ship.id(), 0);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Ring ring = new Ring();
        LinkedBlockingQueue<Ship> roads = new LinkedBlockingQueue<>();
        new Thread(() -> {
            try {
                while (true) {
                    Ship ship = roads.take();
                    ring.leave(ring.moor(ship), ship);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "t-1").start();
        new Thread(() -> {
            try {
                for (long id = 1; ; id++) {
                    if (roads.size() < 20) {
                        roads.add(new Ship(id, id % 5 != 0));
                    }
                    Thread.sleep(10);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "t-2").start();
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
