import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;

/** Lines go from one thread to another through a pipe of the class library; the second one rests, and the pipe is full. */
public class Culvert {
    private final PipedWriter upstream = new PipedWriter();
    private final PipedReader downstream;

    Culvert() throws IOException {
        downstream = new PipedReader(upstream, 128);
    }

    private void rain() {
        try {
            for (int i = 0; i < 1_000_000; i++) {
                fall("drop " + i + "\n");
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void fall(String drop) throws IOException {
        upstream.write(drop);
    }

    private void drain() {
        try {
            for (int c = downstream.read(); c >= 0; c = downstream.read()) {
                settle(c);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void settle(int c) throws InterruptedException {
        if (c == '\n') {
            Thread.sleep(40_000_000L);
        }
    }

    public static void main(String[] args) throws Exception {
        Culvert culvert = new Culvert();
        new Thread(culvert::rain, "t-1").start();
        new Thread(culvert::drain, "t-2").start();
        Thread.sleep(500);
        System.out.println("READY");
    }
}
