import java.util.HashMap;
import java.util.Map;

/** All keys of a map have one hash code, and no order that could help. */
public class Pigeons {
    static final class Ring {
        private final int number;

        Ring(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Ring && ((Ring) other).number == number;
        }
    }

    private final Map<Ring, Integer> loft = new HashMap<>();

    private void count(int birds) {
        for (int i = 0; i < birds; i++) {
            home(new Ring(i % 20_000));
        }
    }

    private void home(Ring ring) {
        loft.merge(ring, 1, Integer::sum);
    }

    public static void main(String[] args) throws Exception {
        Pigeons pigeons = new Pigeons();
        Thread t = new Thread(() -> pigeons.count(Integer.MAX_VALUE), "t-1");
        t.start();
        Thread.sleep(800);
        System.out.println("READY");
        t.join();
    }
}
