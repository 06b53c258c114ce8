import java.io.IOException;
import java.io.InputStream;

/** Two threads read the output of a child each, which has more to say on its error stream than a pipe takes; nobody reads that. */
public class Mangle {
    static class Roller {
        private final String[] command;
        private long turns;

        Roller(String... command) {
            this.command = command;
        }

        int press() throws IOException, InterruptedException {
            Process child = new ProcessBuilder(command).start();
            InputStream sheet = child.getInputStream();
            byte[] fold = new byte[4096];
            int length = 0;
            for (int n = sheet.read(fold); n >= 0; n = sheet.read(fold)) {
                length += n;
            }
            child.waitFor();
            turns++;
            return length;
        }
    }

    static class Maid implements Runnable {
        private final Roller roller = new Roller("sh", "-c", "echo begun; head -c 300000 /dev/zero >&2; echo done");
        private int linen;

        @Override
        public void run() {
            try {
                while (true) {
                    linen += roller.press();
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread one = new Thread(new Maid(), "t-1");
        one.start();
        new Thread(new Maid(), "t-2").start();
        Thread.sleep(1500);
        System.out.println("READY");
        one.join();
    }
}
