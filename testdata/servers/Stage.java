import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** What all servers and clients need: when they are ready, when the load begins, and sockets of the other side. */
final class Stage {
    private static final List<AutoCloseable> OPEN = new ArrayList<>();
    private static final Path LOAD = Path.of("load");

    private Stage() {
    }

    static void ready() {
        System.out.println("READY");
    }

    /** Says that it is ready once somebody accepts connections at the port; the calling thread goes on at once. */
    static void readyAt(int port) {
        new Thread(() -> {
            try {
                awaitPort(port);
                ready();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "starter").start();
    }

    static void awaitPort(int port) throws InterruptedException {
        while (true) {
            try (Socket s = new Socket()) {
                s.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return;
            } catch (IOException e) {
                Thread.sleep(200);
            }
        }
    }

    /** Returns when the file "load" is in the working directory. */
    static void awaitLoad() throws InterruptedException {
        while (!Files.exists(LOAD)) {
            Thread.sleep(100);
        }
    }

    /** Starts threads that each do a piece of work again and again, with a pause after each. */
    static void repeat(String name, int threads, long pauseMillis, Callable<?> work) {
        for (int i = 0; i < threads; i++) {
            new Thread(() -> {
                while (true) {
                    try {
                        work.call();
                        Thread.sleep(pauseMillis);
                    } catch (Exception e) {
                        System.err.println(Thread.currentThread().getName() + ": " + e);
                    }
                }
            }, name + "-" + i).start();
        }
    }

    /** Sends HTTP requests and waits for none of the answers; the connections stay open. */
    static void send(int port, String path, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
            OPEN.add(socket);
        }
    }

    /** The port of a server that takes connections and never says a word. */
    static int silentServer() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        OPEN.add(server);
        return server.getLocalPort();
    }
}
