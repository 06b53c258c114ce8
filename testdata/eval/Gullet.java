import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/** Three threads write to peers that do not read: the socket buffers are full. */
public class Gullet {
    private final CountDownLatch fed = new CountDownLatch(3);

    private void feed(int port) {
        byte[] fish = new byte[64 * 1024];
        try (Socket bird = new Socket(InetAddress.getLoopbackAddress(), port)) {
            OutputStream beak = bird.getOutputStream();
            for (int i = 0; i < 1_000; i++) {
                push(beak, fish);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        fed.countDown();
    }

    private void push(OutputStream beak, byte[] fish) throws IOException {
        beak.write(fish);
    }

    public static void main(String[] args) throws Exception {
        ServerSocket nest = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Gullet gullet = new Gullet();
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> gullet.feed(nest.getLocalPort()), "t-" + i).start();
        }
        Thread.sleep(700);
        System.out.println("READY");
        gullet.fed.await();
        nest.close();
    }
}
