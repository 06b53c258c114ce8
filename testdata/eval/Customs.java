import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A worker reads from a silent peer inside a monitor; the other workers queue up for it. */
public class Customs {
    static class Office {
        private final Socket line;

        Office(int port) throws IOException {
            line = new Socket(InetAddress.getLoopbackAddress(), port);
        }

        int declare(int goods) {
            synchronized (line) {
                try {
                    line.getOutputStream().write(goods);
                    return answer();
                } catch (IOException e) {
                    return -1;
                }
            }
        }

        private int answer() throws IOException {
            return line.getInputStream().read();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Office office = new Office(peer.getLocalPort());
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 4; i++) {
            int goods = i;
            pool.execute(() -> office.declare(goods));
        }
        Thread.sleep(400);
        System.out.println("READY");
        peer.getLocalPort();
        Thread.currentThread().join();
    }
}
