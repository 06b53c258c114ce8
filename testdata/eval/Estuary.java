import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A finalize method reads from a silent peer: the finalizer thread does not get on. */
public class Estuary {
    /** Kept, for up to JDK 8 a socket has a finalizer of its own, which may come first and close it. */
    private static final List<Socket> LINES = new ArrayList<>();

    static class Mooring {
        private final Socket line;
        private final byte[] rope = new byte[1024];

        Mooring(int port) throws IOException {
            line = new Socket(InetAddress.getLoopbackAddress(), port);
            LINES.add(line);
        }

        @Override
        protected void finalize() throws IOException {
            line.getOutputStream().write(rope[0]);
            farewell();
            line.close();
        }

        private void farewell() throws IOException {
            while (line.getInputStream().read() >= 0) {
                rope[0]++;
            }
        }
    }

    private static void visit(int port) throws IOException {
        for (int i = 0; i < 5; i++) {
            new Mooring(port);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 20, InetAddress.getLoopbackAddress());
        visit(peer.getLocalPort());
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(200);
        }
        System.out.println("READY");
        while (!peer.isClosed()) {
            Thread.sleep(1000);
        }
    }
}
