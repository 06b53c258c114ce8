import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;

/** A child process is fed a line now and then, its answers are read, and a thread waits for its end. */
public class Scullery {
    private static volatile int washed;

    private static void feed(Process maid) {
        try (Writer to = new OutputStreamWriter(maid.getOutputStream())) {
            for (int i = 0; ; i++) {
                to.write("plate " + i + "\n");
                to.flush();
                Thread.sleep(300);
            }
        } catch (IOException | InterruptedException e) {
            System.err.println(e);
        }
    }

    private static void collect(Process maid) {
        try (BufferedReader from = new BufferedReader(new InputStreamReader(maid.getInputStream()))) {
            while (from.readLine() != null)
                washed++;
        } catch (IOException e) {
            System.err.println(e);
        }
    }

    private static void guard(Process maid) {
        try {
            System.err.println("ended with " + maid.waitFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Process maid = new ProcessBuilder("cat").redirectErrorStream(true).start();
        new Thread(() -> feed(maid), "t-1").start();
        new Thread(() -> collect(maid), "t-2").start();
        new Thread(() -> guard(maid), "t-3").start();
        while (washed < 3)
            Thread.sleep(20);
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
