import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Paths;

/** Mapped FILE: the thread "reader" reads a byte of the file through a mapping; where the file hangs so does the JVM. */
final class Mapped {
    static volatile byte read;

    public static void main(String[] args) throws Exception {
        FileChannel file = FileChannel.open(Paths.get(args[0]));
        MappedByteBuffer bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
        Threads.start("reader", () -> {
            Threads.ready();
            read = bytes.get(0);
        });
        Thread.sleep(Long.MAX_VALUE);
    }
}
