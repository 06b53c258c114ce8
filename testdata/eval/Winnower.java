import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Two tasks write to a child each that sorts, flush, and read what it prints; it waits for the end of its input first, which nobody closes. */
public class Winnower {
    static class Sieve {
        private final Process child;

        Sieve() throws IOException {
            child = new ProcessBuilder("sort").start();
        }

        void fill(int grains) throws IOException {
            Writer out = new java.io.OutputStreamWriter(child.getOutputStream());
            for (int i = grains; i > 0; i--) {
                out.write(i + "\n");
            }
            out.flush();
        }

        List<String> drain() throws IOException {
            List<String> clean = new ArrayList<>();
            BufferedReader in = new BufferedReader(new InputStreamReader(child.getInputStream()));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                clean.add(line);
            }
            return clean;
        }
    }

    static class Batch implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            Sieve sieve = new Sieve();
            sieve.fill(50);
            return sieve.drain().size();
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.submit(new Batch());
        pool.submit(new Batch());
        Thread.sleep(1000);
        System.out.println("READY");
        while (true) {
            Thread.sleep(5000);
        }
    }
}
