import java.util.ArrayList;
import java.util.List;

/** A list is only ever added to, some 16 MB a second, until the old generation is collected in vain. */
public class Byre {
    private static final int MOST = 2700;
    private final List<byte[]> straw = new ArrayList<>();
    private long passing;

    private void fodder() {
        try {
            while (straw.size() < MOST) {
                bed();
                Thread.sleep(4);
            }
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void bed() {
        straw.add(new byte[64 * 1024]);
        for (int i = 0; i < 3; i++) {
            passing += new byte[64 * 1024].length;
        }
    }

    public static void main(String[] args) throws Exception {
        new Thread(new Byre()::fodder, "t-1").start();
        Thread.sleep(6500);
        System.out.println("READY");
    }
}
