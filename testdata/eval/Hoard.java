import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** What is computed for a key is kept, but no two keys are ever equal; most of what is made is garbage. */
public class Hoard {
    static class Key {
        private final int shelf, place;

        Key(int shelf, int place) {
            this.shelf = shelf;
            this.place = place;
        }

        @Override
        public String toString() {
            return shelf + "/" + place;
        }
    }

    static class Store {
        private final Map<Key, int[]> known = new HashMap<>();

        int[] look(Key key) {
            return known.computeIfAbsent(key, Store::weigh);
        }

        private static int[] weigh(Key key) {
            StringBuilder marks = new StringBuilder();
            for (int i = 0; i < 40; i++)
                marks.append(key).append(';');
            int[] weights = new int[200];
            for (int i = 0; i < weights.length; i++)
                weights[i] = marks.charAt(i % marks.length()) * i;
            return weights;
        }
    }

    private static void ask(Store store) {
        Random random = new Random(7);
        try {
            while (true) {
                for (int i = 0; i < 100; i++)
                    store.look(new Key(random.nextInt(10), random.nextInt(10)));
                Thread.sleep(8);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Store store = new Store();
        Thread clerk = new Thread(() -> ask(store), "t-1");
        clerk.start();
        Thread.sleep(5000);
        System.out.println("READY");
        clerk.join();
    }
}
