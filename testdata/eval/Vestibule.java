import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/** One of three loaders reads from a port of its own program at which nobody accepts; main waits until all have loaded. */
public class Vestibule {
    private static void load(int part, int port) throws IOException {
        if (part < 3) {
            return;
        }
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getInputStream().read();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket door = new ServerSocket(0);
        CountDownLatch loaded = new CountDownLatch(3);
        for (int i = 1; i <= 3; i++) {
            int part = i;
            new Thread(() -> {
                try {
                    load(part, door.getLocalPort());
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                loaded.countDown();
            }, "t-" + part).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
        loaded.await();
    }
}
