import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All three workers read from a silent peer; four callers wait for their futures. */
public class Surgery {
    private final ExecutorService doctors = Executors.newFixedThreadPool(3);
    private final int port;

    Surgery(int port) {
        this.port = port;
    }

    int treat() {
        Future<Integer> result = doctors.submit(this::examine);
        try {
            return result.get();
        } catch (Exception e) {
            return -1;
        }
    }

    private int examine() throws IOException {
        try (Socket lab = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return lab.getInputStream().read();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Surgery surgery = new Surgery(peer.getLocalPort());
        for (int i = 1; i <= 5; i++) {
            new Thread(surgery::treat, "t-" + i).start();
        }
        Thread.sleep(500);
        System.out.println("READY");
        synchronized (peer) {
            peer.wait();
        }
    }
}
