import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Virtual threads read from a silent peer inside synchronized methods and so keep every carrier. */
public class Geese {
    static class Pond {
        private final int port;

        Pond(int port) {
            this.port = port;
        }

        synchronized int dive() throws IOException {
            try (Socket reed = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return search(reed);
            }
        }

        private int search(Socket reed) throws IOException {
            return reed.getInputStream().read();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 20, InetAddress.getLoopbackAddress());
        List<Future<Integer>> finds = new ArrayList<>();
        try (ExecutorService flock = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10; i++) {
                Pond pond = new Pond(peer.getLocalPort());
                finds.add(flock.submit(pond::dive));
            }
            Thread.sleep(500);
            System.out.println("READY");
            System.out.println(finds.get(9).get());
        }
        peer.close();
    }
}
