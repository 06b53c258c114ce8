import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A shared journal writes to a child process that does not read: one writer is stuck in it, the others wait. */
public class Scribe {
    static class Journal {
        private final OutputStream out;

        Journal(OutputStream out) {
            this.out = out;
        }

        void note(String line) {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            synchronized (this) {
                append(bytes);
            }
        }

        private void append(byte[] bytes) {
            try {
                out.write(bytes);
                out.flush();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Process child = new ProcessBuilder("sh", "-c", "while kill -0 $PPID; do sleep 1; done").start();
        Journal journal = new Journal(child.getOutputStream());
        StringBuilder entry = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            entry.append("day ").append(i).append('\n');
        }
        for (int i = 1; i <= 4; i++) {
            new Thread(() -> {
                while (true) {
                    journal.note(entry.toString());
                }
            }, "t-" + i).start();
        }
        Thread.sleep(700);
        System.out.println("READY");
    }
}
