import java.util.LinkedHashMap;
import java.util.Map;

/** A bounded cache that fills while it is looked at: what it keeps lives for many seconds, and then it is dropped. */
public class Larder {
    static class Shelf extends LinkedHashMap<Integer, byte[]> {
        private final int room;

        Shelf(int room) {
            super(16, 0.75f, true);
            this.room = room;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, byte[]> eldest) {
            return size() > room;
        }
    }

    private static volatile int sum;

    static byte[] cook(int dish) {
        int s = 0;
        for (int i = 0; i < 40; i++) {
            s += new byte[1000].length;
        }
        sum = s;
        return new byte[2000 + dish % 7];
    }

    static void serve(Shelf shelf) throws InterruptedException {
        for (int dish = 0; ; dish++) {
            shelf.computeIfAbsent(dish, Larder::cook);
            if (dish % 40 == 0) {
                Thread.sleep(20);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Shelf shelf = new Shelf(20_000);
        Thread t = new Thread(() -> {
            try {
                serve(shelf);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "t-1");
        t.start();
        Thread.sleep(4000);
        System.out.println("READY");
        t.join();
    }
}
