import java.util.LinkedHashMap;
import java.util.Map;

/** A cache holds as much as the heap can, and every lookup misses: old entries die as fast as new ones come. */
public class Brook {
    private final Map<Long, Object[]> pool;

    Brook(int size) {
        pool = new LinkedHashMap<Long, Object[]>(size * 2) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Object[]> eldest) {
                return size() > size;
            }
        };
    }

    private void run() {
        for (long drop = 0; drop >= 0; drop++) {
            pool.put(drop, fill(drop));
        }
    }

    private Object[] fill(long drop) {
        Object[] water = new Object[40];
        for (int i = 0; i < water.length; i++) {
            water[i] = new long[] {drop, i};
        }
        return water;
    }

    public static void main(String[] args) throws Exception {
        Brook brook = new Brook(Integer.parseInt(args[0]));
        new Thread(brook::run, "t-1").start();
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
