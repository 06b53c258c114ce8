import java.util.concurrent.CountDownLatch;

/** Two classes whose static initialisers need one another, begun by two threads at once. */
public class Glyphs {
    static final CountDownLatch BOTH = new CountDownLatch(2);

    static void arrive() {
        BOTH.countDown();
        try {
            BOTH.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static class Latin {
        static final int FIRST;

        static {
            arrive();
            FIRST = Greek.size() + 1;
        }

        static int size() {
            return FIRST;
        }
    }

    static class Greek {
        static final int FIRST;

        static {
            arrive();
            FIRST = Latin.size() + 1;
        }

        static int size() {
            return FIRST;
        }
    }

    public static void main(String[] args) throws Exception {
        new Thread(() -> System.out.println(Latin.size()), "t-1").start();
        new Thread(() -> System.out.println(Greek.size()), "t-2").start();
        BOTH.await();
        Thread.sleep(300);
        new Thread(() -> System.out.println(Latin.size()), "t-3").start();
        Thread.sleep(200);
        System.out.println("READY");
    }
}
