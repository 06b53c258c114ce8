import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Eight workers, none of them with a core of its own, fill the machine with the same work. */
public class Choir {
    private static long sing(int voice) {
        long note = voice;
        while (note != 0) {
            note = bar(note) | 1;
        }
        return note;
    }

    private static long bar(long note) {
        long mixed = note;
        for (int i = 0; i < 5000; i++) {
            mixed ^= mixed << 13;
            mixed ^= mixed >>> 7;
            mixed ^= mixed << 17;
        }
        return mixed;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);
        for (int i = 1; i <= 8; i++) {
            int voice = i;
            pool.submit(() -> sing(voice));
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
