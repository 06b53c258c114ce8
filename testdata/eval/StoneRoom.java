import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Stones are drawn on in buffers beside the heap and printed at once; as none is kept, each collection frees them all. */
public class StoneRoom {
    private static final int STONE = 384 * 1024;
    private static final int BENCHES = 3;

    private final BlockingQueue<ByteBuffer> toPress = new LinkedBlockingQueue<>();
    private final AtomicInteger sheets = new AtomicInteger();

    private void bench() {
        try {
            for (int number = 0; ; number++) {
                ByteBuffer stone = ByteBuffer.allocateDirect(STONE);
                for (int at = 0; at < STONE; at += 4096) {
                    stone.put(at, (byte) number);
                }
                toPress.add(stone);
                Thread.sleep(15);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void press() {
        try {
            while (true) {
                sheets.addAndGet(1 + toPress.take().get(0) % 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        StoneRoom room = new StoneRoom();
        new Thread(room::press, "press").start();
        for (int i = 1; i <= BENCHES; i++) {
            new Thread(room::bench, "bench-" + i).start();
        }
        while (room.sheets.get() == 0) {
            Thread.sleep(50);
        }
        Thread.sleep(2000);
        System.out.println("READY");
    }
}
