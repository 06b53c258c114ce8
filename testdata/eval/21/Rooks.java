import java.util.concurrent.CountDownLatch;

/** Virtual threads that compute without end take every carrier, while a hundred others wait for one. */
public class Rooks {
    private static long caw(long seed) {
        long note = seed;
        while (note != 0) {
            note = croak(note);
        }
        return note;
    }

    private static long croak(long note) {
        long mixed = note;
        for (int i = 0; i < 2000; i++) {
            mixed ^= mixed << 13;
            mixed ^= mixed >>> 7;
            mixed ^= mixed << 17;
        }
        return mixed | 1;
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch heard = new CountDownLatch(100);
        for (int i = 1; i <= 2; i++) {
            int seed = i;
            Thread.ofVirtual().name("v-" + i).start(() -> System.out.println(caw(seed)));
        }
        Thread.sleep(300);
        for (int i = 0; i < 100; i++) {
            Thread.ofVirtual().start(heard::countDown);
        }
        Thread.sleep(300);
        System.out.println("READY");
        heard.await();
    }
}
