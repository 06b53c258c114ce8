import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Jobs run child processes that do not end: one reads its output, two wait for its end; main waits for the results. */
public class Potboy {
    private static String read() throws IOException {
        Process jug = new ProcessBuilder("cat").start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(jug.getInputStream()))) {
            return line(out);
        }
    }

    private static String line(BufferedReader out) throws IOException {
        return out.readLine();
    }

    private static String finish() throws IOException, InterruptedException {
        Process jug = new ProcessBuilder("cat").start();
        return "exit " + jug.waitFor();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        List<Future<String>> ends = new ArrayList<>();
        ends.add(pool.submit(Potboy::read));
        ends.add(pool.submit(Potboy::finish));
        ends.add(pool.submit(Potboy::finish));
        Thread.sleep(700);
        System.out.println("READY");
        for (Future<String> end : ends) {
            System.out.println(end.get());
        }
    }
}
