import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Plates are exposed into buffers beside the heap; those in colour are proofed and never given back. */
public class PlateRoom {
    private static final int PLATE = 384 * 1024;
    private static final int DESKS = 3;

    /** The plates that are somewhere between the desk and the press. */
    private final Map<Integer, ByteBuffer> underWay = new ConcurrentHashMap<>();
    private final BlockingQueue<Integer> toPress = new LinkedBlockingQueue<>();
    private final AtomicInteger sheets = new AtomicInteger();
    private final AtomicInteger waits = new AtomicInteger();

    private void expose(int number) {
        ByteBuffer plate = ByteBuffer.allocateDirect(PLATE);
        for (int at = 0; at < PLATE; at += 4096) {
            plate.put(at, (byte) number);
        }
        underWay.put(number, plate);
        toPress.add(number);
    }

    private void desk(int first) {
        try {
            for (int number = first; ; number += DESKS) {
                try {
                    expose(number);
                    Thread.sleep(5);
                } catch (OutOfMemoryError e) {
                    waits.incrementAndGet();
                    Thread.sleep(200);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void press() {
        try {
            while (true) {
                int number = toPress.take();
                ByteBuffer plate = underWay.get(number);
                sheets.addAndGet(plate.get(0));
                if (number % 4 != 0) {
                    underWay.remove(number);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        PlateRoom room = new PlateRoom();
        new Thread(room::press, "press").start();
        for (int i = 1; i <= DESKS; i++) {
            int first = i;
            new Thread(() -> room.desk(first), "desk-" + i).start();
        }
        while (room.waits.get() < 4) {
            Thread.sleep(50);
        }
        System.out.println("READY");
    }
}
