import java.nio.ByteBuffer;

/** Grow MS MEGABYTES: takes that much memory MS after READY, and touches it. */
final class Grow {
    static ByteBuffer taken;

    public static void main(String[] args) throws Exception {
        Threads.ready();
        Thread.sleep(Threads.argument(args, 0, 0));
        taken = ByteBuffer.allocateDirect(Threads.argument(args, 1, 100) << 20); // which is zeroed
        Thread.sleep(Long.MAX_VALUE);
    }
}
