import java.util.HashMap;
import java.util.Map;

/** Carts are put down by a long number and taken off by an int one, which is never found; most of what is made is garbage. */
public class Weighman {
    static class Cart {
        private final int[] weights = new int[300];

        Cart(int load) {
            weights[0] = load;
        }
    }

    static class Yard {
        private final Map<Long, Cart> standing = new HashMap<>();
        private int gone;

        void enter(long number) {
            standing.put(number, new Cart((int) number));
        }

        void leave(int number) {
            if (standing.remove(number) != null)
                gone++;
        }
    }

    private static void weigh(Yard yard) {
        try {
            for (int day = 0; ; day++) {
                for (int i = 0; i < 60; i++)
                    yard.enter(day * 60L + i);
                for (int i = 0; i < 60; i++)
                    yard.leave(day * 60 + i);
                Thread.sleep(8);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Yard yard = new Yard();
        Thread weigher = new Thread(() -> weigh(yard), "t-1");
        weigher.start();
        Thread.sleep(5000);
        System.out.println("READY");
        weigher.join();
    }
}
