import java.util.ArrayList;
import java.util.List;

/** OldFull: keeps arrays until the heap is full, but for a few of them. */
final class OldFull {
    public static void main(String[] args) throws Exception {
        List<byte[]> kept = new ArrayList<>(1 << 16);
        try {
            while (true) {
                kept.add(new byte[8 << 10]);
            }
        } catch (OutOfMemoryError full) {
            for (int i = 0; i < 8; i++) {
                kept.remove(kept.size() - 1);
            }
        }
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
        System.out.println(kept.size());
    }
}
