import java.io.File;
import java.nio.ByteBuffer;

/** Grow FILE MEGABYTES: takes that much memory as soon as the file is there, and touches it. */
final class Grow {
    static ByteBuffer taken;

    public static void main(String[] args) throws Exception {
        Threads.ready();
        while (!new File(args[0]).exists()) {
            Thread.sleep(20);
        }
        taken = ByteBuffer.allocateDirect(Threads.argument(args, 1, 100) << 20); // which is zeroed
        Thread.sleep(Long.MAX_VALUE);
    }
}
