/** Carried: a virtual thread (21 and newer) burns CPU, and so stays on its carrier. By reflection, as all of testdata/java is compiled for Java 8. */
final class Carried {
    static volatile long sink;

    public static void main(String[] args) throws Exception {
        Runnable burn = () -> {
            Threads.ready();
            while (true) {
                sink++;
            }
        };
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, burn);
        Thread.sleep(Long.MAX_VALUE);
    }
}
