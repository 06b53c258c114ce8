import java.util.ArrayDeque;
import java.util.Deque;

/** Allocates at a moderate rate over a stable set of live objects: the collector works now and then. */
public class Fountains {
    private final Deque<byte[]> basin = new ArrayDeque<>();

    private void flow() {
        try {
            while (true) {
                for (int i = 0; i < 40; i++) {
                    basin.add(new byte[32 * 1024]);
                    if (basin.size() > 600) {
                        basin.remove();
                    }
                }
                Thread.sleep(25);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        new Thread(new Fountains()::flow, "t-1").start();
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
