import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;

/** Follows a file, as tail -f does, and another thread writes a line to it from time to time. */
public class Tailer {
    private static void follow(File file) {
        try (RandomAccessFile in = new RandomAccessFile(file, "r")) {
            long lines = 0;
            while (lines >= 0) {
                String line = in.readLine();
                if (line == null) {
                    Thread.sleep(50);
                } else {
                    lines++;
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(RandomAccessFile out) {
        try {
            for (int i = 0; i < 100_000; i++) {
                out.seek(i % 100 * 8L);
                out.writeBytes("line " + i % 10 + "\n");
                Thread.sleep(120);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        File file = File.createTempFile("tailer", "");
        RandomAccessFile out = new RandomAccessFile(file, "rw");
        new Thread(() -> follow(file), "t-1").start();
        new Thread(() -> write(out), "t-2").start();
        Thread.sleep(400);
        file.delete();
        System.out.println("READY");
    }
}
