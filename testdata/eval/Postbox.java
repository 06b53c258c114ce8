import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A bounded LinkedBlockingQueue is full: its consumer waits for a child process that does not end. */
public class Postbox {
    private final BlockingQueue<String> letters = new LinkedBlockingQueue<>(16);

    private final class Carrier extends Thread {
        Carrier() {
            super("t-1");
        }

        @Override
        public void run() {
            try {
                while (true) {
                    deliver(letters.take());
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void deliver(String letter) throws IOException, InterruptedException {
            Process cart = new ProcessBuilder("cat", "-").start();
            cart.getOutputStream().write(letter.getBytes());
            cart.waitFor();
        }
    }

    private void write(String letter) throws InterruptedException {
        letters.put(letter);
    }

    public static void main(String[] args) throws Exception {
        Postbox box = new Postbox();
        box.new Carrier().start();
        for (int i = 2; i <= 3; i++) {
            String letter = "from " + i;
            new Thread(() -> {
                try {
                    while (true) {
                        box.write(letter);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "t-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
        for (int i = 0; ; i++) {
            box.write("main " + i);
        }
    }
}
