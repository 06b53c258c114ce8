import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/** Healthy: a server with a virtual thread per connection, whose clients have nothing to ask at the moment. */
public class Avocets {
    private static int serve(Socket socket) throws IOException {
        try (socket) {
            for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
                socket.getOutputStream().write(b);
            }
            return 0;
        }
    }

    public static void main(String[] args) throws Exception {
        List<Socket> clients = new ArrayList<>();
        try (ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var server = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 30; i++) {
                clients.add(new Socket(InetAddress.getLoopbackAddress(), door.getLocalPort()));
                Socket accepted = door.accept();
                server.submit(() -> serve(accepted));
            }
            Thread.sleep(500);
            System.out.println("READY");
        }
    }
}
