import java.io.IOException;
import java.io.OutputStream;

/** Has itself stopped by the kernel half a second after READY. */
public class Dormouse {
    private static OutputStream autumn() throws IOException {
        return new ProcessBuilder("sh", "-c", "read day; sleep 0.5; kill -STOP $PPID").start().getOutputStream();
    }

    public static void main(String[] args) throws Exception {
        OutputStream leaves = autumn();
        System.out.println("READY");
        leaves.write('\n');
        leaves.flush();
        for (int week = 0; week < 10_000; week++) {
            Thread.sleep(20);
        }
    }
}
