import java.util.concurrent.CountDownLatch;

/** A class whose initialiser makes an instance of its own subclass, while another thread starts at the subclass. */
public class Lineage {
    static final CountDownLatch CHILD = new CountDownLatch(1);

    static class Base {
        static final Base DEFAULT;

        static {
            try {
                CHILD.await();
                Thread.sleep(300);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            DEFAULT = create();
        }

        static Base create() {
            return new Branch();
        }

        String name() {
            return "base";
        }
    }

    static class Branch extends Base {
        @Override
        String name() {
            return "branch";
        }
    }

    static String viaBase() {
        return Base.DEFAULT.name();
    }

    static String viaBranch() {
        CHILD.countDown();
        return new Branch().name();
    }

    public static void main(String[] args) throws Exception {
        new Thread(() -> System.out.println(viaBase()), "t-1").start();
        Thread.sleep(200);
        new Thread(() -> System.out.println(viaBranch()), "t-2").start();
        Thread.sleep(700);
        System.out.println("READY");
    }
}
