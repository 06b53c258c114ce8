import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;

/** A desk calculator: a child reckons, a thread passes on what it says, another what is typed, and nobody types. */
public class Loft {
    static class Pipe implements Runnable {
        private final Process child;

        Pipe(Process child) {
            this.child = child;
        }

        @Override
        public void run() {
            try {
                pass(new BufferedReader(new InputStreamReader(child.getInputStream())));
            } catch (java.io.IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private void pass(BufferedReader from) throws java.io.IOException {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                System.out.println(line);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Process child = new ProcessBuilder("cat").start();
        Thread says = new Thread(new Pipe(child), "t-1");
        says.start();
        Thread typed = new Thread(() -> {
            try {
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                PrintWriter out = new PrintWriter(child.getOutputStream(), true);
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    out.println(line);
                }
            } catch (java.io.IOException e) {
                throw new IllegalStateException(e);
            }
        }, "t-2");
        typed.setDaemon(true);
        typed.start();
        Thread.sleep(500);
        System.out.println("READY");
        says.join();
    }
}
