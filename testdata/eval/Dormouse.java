import java.io.IOException;

/** Has itself stopped by the kernel half a second after READY. */
public class Dormouse {
    private static void autumn() throws IOException {
        new ProcessBuilder("sh", "-c", "sleep 0.5; kill -STOP $PPID").start();
    }

    public static void main(String[] args) throws Exception {
        autumn();
        System.out.println("READY");
        for (int week = 0; week < 10_000; week++) {
            Thread.sleep(20);
        }
    }
}
