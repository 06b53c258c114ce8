/** ClassInitDeadlock: two threads initialise two classes that need each other; no JDK reports it. */
final class ClassInitDeadlock {
    private static volatile int started;

    static final class Catalog {
        static final Object ITEMS;

        static {
            meet();
            ITEMS = Prices.TABLE;
        }
    }

    static final class Prices {
        static final Object TABLE;

        static {
            meet();
            TABLE = Catalog.ITEMS;
        }
    }

    public static void main(String[] args) throws Exception {
        Threads.start("loader-1", () -> System.out.println(Catalog.ITEMS));
        Threads.start("loader-2", () -> System.out.println(Prices.TABLE));
        while (started < 2) {
            Thread.sleep(5);
        }
        Thread.sleep(200); // Thread.State tells RUNNABLE for this wait: nothing to poll
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void meet() {
        synchronized (ClassInitDeadlock.class) {
            started++;
        }
        while (started < 2) {
            Thread.yield();
        }
    }
}
