import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;

/** Runners are stuck in transfer, because the one receiver reads from a silent peer. */
public class Baton {
    private final TransferQueue<byte[]> track = new LinkedTransferQueue<>();

    void run(byte[] baton) {
        try {
            track.transfer(baton);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void finish(InputStream clock) {
        try {
            while (true) {
                byte[] baton = track.take();
                baton[0] = (byte) time(clock);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int time(InputStream clock) throws IOException {
        return clock.read();
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Socket clock = new Socket(InetAddress.getLoopbackAddress(), peer.getLocalPort());
        InputStream in = clock.getInputStream();
        Baton baton = new Baton();
        new Thread(() -> baton.finish(in), "t-1").start();
        for (int i = 2; i <= 5; i++) {
            new Thread(() -> baton.run(new byte[1]), "t-" + i).start();
        }
        Thread.sleep(400);
        System.out.println("READY");
        synchronized (peer) {
            peer.wait();
        }
        clock.close();
    }
}
