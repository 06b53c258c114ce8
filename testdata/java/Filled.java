import java.util.ArrayList;
import java.util.List;

/** Keeps 120 MB of small arrays, and then does nothing. */
final class Filled {
    private static final int EACH = 64 << 10;
    private static final int WANTED = 120 << 20;

    public static void main(String[] args) throws Exception {
        List<byte[]> kept = new ArrayList<>();
        for (int size = 0; size < WANTED; size += EACH) {
            kept.add(new byte[EACH]);
        }
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
        System.out.println(kept);
    }
}
