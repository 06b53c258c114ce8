import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;

/** Virtual threads ask a server that never answers, and main waits for their tasks to end. */
public class Gulls {
    private static int cry(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write('?');
            return socket.getInputStream().read();
        }
    }

    public static void main(String[] args) throws Exception {
        try (ServerSocket cliff = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var flock = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 30; i++) {
                flock.submit(() -> cry(cliff.getLocalPort()));
            }
            Thread.sleep(500);
            System.out.println("READY");
        }
    }
}
