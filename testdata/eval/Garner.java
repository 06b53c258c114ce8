import java.util.ArrayList;
import java.util.List;

/** main weighs a sack every few milliseconds and keeps what it wrote of each, some 8 MB a second; most of what it makes may go. */
public class Garner {
    private static final int MOST = 8000;
    private final List<byte[]> slips = new ArrayList<>();
    private long weighed;

    private void weigh() {
        for (int i = 0; i < 3; i++) {
            weighed += new byte[64 * 1024].length;
        }
        if (slips.size() < MOST) {
            slips.add(new byte[64 * 1024]);
        }
    }

    public static void main(String[] args) throws Exception {
        Garner garner = new Garner();
        for (int sack = 0; ; sack++) {
            garner.weigh();
            if (sack == 100) {
                System.out.println("READY");
            }
            Thread.sleep(8);
        }
    }
}
