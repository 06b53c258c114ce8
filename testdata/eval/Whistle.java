import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;

/** A thread reads from a piped stream that its living writer does not fill. */
public class Whistle {
    private final PipedInputStream tube = new PipedInputStream();

    private void listen() {
        try {
            System.out.println(tone());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private int tone() throws IOException {
        return tube.read();
    }

    public static void main(String[] args) throws Exception {
        Whistle whistle = new Whistle();
        PipedOutputStream lips = new PipedOutputStream(whistle.tube);
        Thread ear = new Thread(whistle::listen, "t-1");
        ear.start();
        Thread.sleep(300);
        System.out.println("READY");
        ear.join();
        lips.close();
    }
}
