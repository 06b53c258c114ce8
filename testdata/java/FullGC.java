import java.util.ArrayList;
import java.util.List;

/** FullGC [MILLIONS=2]: so many million small live objects and full collections, one right after the other. */
final class FullGC {
    static Object live;

    public static void main(String[] args) throws Exception {
        int chunks = Threads.argument(args, 0, 2) * 1000;
        List<Object[]> all = new ArrayList<>(chunks);
        for (int i = 0; i < chunks; i++) {
            Object[] chunk = new Object[1000];
            for (int j = 0; j < chunk.length; j++) {
                chunk[j] = new Object[] {chunk};
            }
            all.add(chunk);
        }
        live = all;
        System.gc();
        Threads.ready();
        while (true) {
            System.gc();
        }
    }
}
