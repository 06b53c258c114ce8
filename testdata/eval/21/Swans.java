import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads sleep inside monitors and so keep both carriers; others that are ready cannot run. */
public class Swans {
    private static void glide(Object lake) {
        synchronized (lake) {
            rest();
        }
    }

    private static void rest() {
        LockSupport.parkNanos(3_600_000_000_000L);
    }

    private static void paddle() {
        long strokes = 0;
        for (int i = 0; i < 100; i++) {
            strokes += i;
            Thread.yield();
        }
        System.out.println(strokes);
    }

    public static void main(String[] args) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Object lake = new Object();
            all.add(Thread.ofVirtual().name("v-" + i).start(() -> glide(lake)));
        }
        Thread.sleep(300);
        for (int i = 2; i < 40; i++) {
            all.add(Thread.ofVirtual().name("v-" + i).start(Swans::paddle));
        }
        Thread.sleep(300);
        System.out.println("READY");
        for (Thread t : all) {
            t.join();
        }
    }
}
