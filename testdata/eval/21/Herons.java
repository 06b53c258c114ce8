import java.util.concurrent.TimeUnit;

/** Static initialisers that sleep, run by virtual threads, keep both carriers: a native frame is below them. */
public class Herons {
    static class Marsh {
        static final int DEPTH = wade();
    }

    static class Delta {
        static final int DEPTH = wade();
    }

    private static int wade() {
        try {
            TimeUnit.HOURS.sleep(3);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 1;
    }

    private static void fish(boolean inland) {
        System.out.println(inland ? Marsh.DEPTH : Delta.DEPTH);
    }

    public static void main(String[] args) throws Exception {
        Thread.ofVirtual().name("v-1").start(() -> fish(true));
        Thread.ofVirtual().name("v-2").start(() -> fish(false));
        Thread.sleep(400);
        for (int i = 3; i < 20; i++) {
            Thread.ofVirtual().name("v-" + i).start(() -> System.out.println("caught"));
        }
        Thread.sleep(300);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
