import java.util.concurrent.CountDownLatch;

/** One thread initialises a class and wants a monitor; its owner needs that class. */
public class Prism {
    static final Object LENS = new Object();
    static final CountDownLatch BOTH = new CountDownLatch(2);

    static void arrive() {
        BOTH.countDown();
        try {
            BOTH.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static class Palette {
        static final int SHADES;

        static {
            arrive();
            SHADES = load();
        }

        private static int load() {
            synchronized (LENS) {
                return 16;
            }
        }

        static int shades() {
            return SHADES;
        }
    }

    static void paint() {
        synchronized (LENS) {
            arrive();
            System.out.println(Palette.shades());
        }
    }

    public static void main(String[] args) throws Exception {
        new Thread(() -> System.out.println(Palette.shades()), "t-1").start();
        new Thread(Prism::paint, "t-2").start();
        BOTH.await();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
