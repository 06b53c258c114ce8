import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

/** A selector loop sleeps and tries again in the middle of a request; what three others have sent stays unread. */
public class Postern {
    private final Selector selector = Selector.open();
    private final ServerSocketChannel server = ServerSocketChannel.open();
    private volatile boolean lit;

    Postern() throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
    }

    void guard() {
        try {
            while (true) {
                selector.select();
                for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); keys.remove()) {
                    admit(keys.next());
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void admit(SelectionKey key) throws IOException, InterruptedException {
        if (key.isAcceptable()) {
            server.accept().configureBlocking(false).register(selector, SelectionKey.OP_READ);
            return;
        }
        SocketChannel channel = (SocketChannel) key.channel();
        ByteBuffer word = ByteBuffer.allocate(16);
        if (channel.read(word) < 0) {
            channel.close();
            return;
        }
        if (word.get(0) == 'L') {
            light();
        }
        channel.write(ByteBuffer.wrap(new byte[] {'.'}));
    }

    private void light() throws InterruptedException {
        while (!lit) {
            Thread.sleep(3000);
        }
    }

    void knock(int door, int wanted) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.socket().getLocalPort())) {
            for (int i = 1; ; i++) {
                socket.getOutputStream().write(i == wanted ? 'L' : 'K');
                hear(socket);
                Thread.sleep(50);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void hear(Socket socket) throws IOException {
        if (socket.getInputStream().read() < 0) {
            throw new IOException("closed");
        }
    }

    public static void main(String[] args) throws Exception {
        Postern postern = new Postern();
        new Thread(postern::guard, "g-1").start();
        for (int i = 1; i <= 4; i++) {
            int door = i;
            new Thread(() -> postern.knock(door, door == 2 ? 8 : -1), "t-" + i).start();
        }
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
