import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Two threads want locks on regions of a file that another process holds. */
public class Deeds {
    private static void claim(FileChannel land, long from) {
        try {
            survey(land, from);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void survey(FileChannel land, long from) throws IOException {
        FileLock fence = land.lock(from, 10, false);
        fence.release();
    }

    private static void hold(Path file) throws IOException {
        try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
            FileLock fence = all.getChannel().lock();
            System.out.println("held");
            System.in.read();
            fence.release();
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            hold(Paths.get(args[0]));
            return;
        }
        Path file = Files.createTempFile("deeds", "");
        Process neighbour = new ProcessBuilder(Paths.get(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), "Deeds", file.toString()).start();
        neighbour.getInputStream().read();
        FileChannel land = new RandomAccessFile(file.toFile(), "rw").getChannel();
        Files.delete(file);
        Thread[] owners = new Thread[2];
        for (int i = 0; i < owners.length; i++) {
            long from = i * 10L;
            owners[i] = new Thread(() -> claim(land, from), "t-" + (i + 1));
            owners[i].start();
        }
        Thread.sleep(400);
        System.out.println("READY");
        for (Thread owner : owners) {
            owner.join();
        }
        neighbour.destroy();
    }
}
