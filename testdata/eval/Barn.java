import java.util.HashMap;
import java.util.Map;

/** A map is only ever added to, some 16 MB a second, beside four times as much that may go. */
public class Barn {
    private static final int MOST = 800;
    private final Map<Long, byte[]> hay = new HashMap<>();
    private long passing;

    private void harvest() {
        try {
            for (long bale = 0; bale < MOST * 16L; bale++) {
                store(bale);
                Thread.sleep(4);
            }
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void store(long bale) {
        hay.put(bale, new byte[64 * 1024]);
        for (int i = 0; i < 4; i++) {
            passing += new byte[64 * 1024].length;
        }
    }

    private void watch() {
        try {
            while (passing >= 0) {
                Thread.sleep(50);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Barn barn = new Barn();
        new Thread(barn::harvest, "t-1").start();
        new Thread(barn::watch, "t-2").start();
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
