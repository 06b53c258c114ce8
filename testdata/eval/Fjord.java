import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One thread opens a named pipe that nobody writes to, another reads from one that stays empty. */
public class Fjord {
    private static File pipe(Path dir, String name) throws Exception {
        File file = new File(dir.toFile(), name);
        new ProcessBuilder("mkfifo", file.getPath()).inheritIO().start().waitFor();
        return file;
    }

    private static FileInputStream enter(File file) throws IOException {
        return new FileInputStream(file);
    }

    private static void sail(File file) {
        try (FileInputStream water = enter(file)) {
            System.out.println(sound(water));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int sound(FileInputStream water) throws IOException {
        byte[] depth = new byte[32];
        return water.read(depth);
    }

    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory("fjord");
        File north = pipe(dir, "north");
        File south = pipe(dir, "south");
        Thread a = new Thread(() -> sail(north), "t-1");
        Thread b = new Thread(() -> sail(south), "t-2");
        a.start();
        b.start();
        FileOutputStream open = new FileOutputStream(south);
        Thread.sleep(300);
        Files.delete(north.toPath());
        Files.delete(south.toPath());
        Files.delete(dir);
        System.out.println("READY");
        a.join();
        open.close();
    }
}
