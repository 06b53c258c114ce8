import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The other side of a server's or client's connections, over loopback and without a thread of its own. */
final class Caller {
    private static final List<AutoCloseable> OPEN = new ArrayList<>();

    private Caller() {
    }

    /** Sends an HTTP request and reads the answer to its end. */
    static String get(int port, String path) throws IOException {
        try (Socket socket = request(port, path)) {
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            byte[] part = new byte[1000];
            for (int n = socket.getInputStream().read(part); n >= 0; n = socket.getInputStream().read(part)) {
                answer.write(part, 0, n);
            }
            return answer.toString("UTF-8");
        }
    }

    /** Sends HTTP requests and waits for none of the answers; the connections stay open. */
    static void send(int port, String path, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            OPEN.add(request(port, path));
        }
    }

    private static Socket request(int port, String path) throws IOException {
        return line(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    /** Sends some text over a new connection, which stays open. */
    static Socket line(int port, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        OPEN.add(socket);
        return socket;
    }

    /** The port of a server that takes connections and never says a word. */
    static int silentServer() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        OPEN.add(server);
        return server.getLocalPort();
    }
}
