import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Pool workers build texts over a cache that nearly fills the heap: the collector has no room to work in. */
public class Mill {
    private final Map<Integer, char[]> cache = new HashMap<>();

    private void load(int entries) {
        for (int i = 0; i < entries; i++) {
            cache.put(i, new char[200]);
        }
    }

    private int grind(int sack) {
        int flour = 0;
        for (long i = 0; i >= 0; i++) {
            flour += sift(sack + i);
        }
        return flour;
    }

    private int sift(long grain) {
        StringBuilder bran = new StringBuilder();
        for (int i = 0; i < 4000; i++) {
            bran.append(grain).append(',').append(i);
        }
        return bran.toString().hashCode() ^ bran.reverse().toString().length();
    }

    public static void main(String[] args) throws Exception {
        Mill mill = new Mill();
        mill.load(Integer.parseInt(args[0]));
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 2; i++) {
            int sack = i;
            pool.submit(() -> mill.grind(sack));
        }
        Thread.sleep(700);
        System.out.println("READY");
    }
}
