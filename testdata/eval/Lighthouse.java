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

/** Two selector loops; a handler sleeps in one of them, so the clients of that loop get no answer. */
public class Lighthouse {
    static class Loop implements Runnable {
        private final Selector selector = Selector.open();
        private final ServerSocketChannel door = ServerSocketChannel.open();

        Loop() throws IOException {
            door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            door.configureBlocking(false);
            door.register(selector, SelectionKey.OP_ACCEPT);
        }

        int port() throws IOException {
            return ((InetSocketAddress) door.getLocalAddress()).getPort();
        }

        @Override
        public void run() {
            try {
                while (true) {
                    selector.select();
                    Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                    while (keys.hasNext()) {
                        SelectionKey key = keys.next();
                        keys.remove();
                        handle(key);
                    }
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void handle(SelectionKey key) throws IOException, InterruptedException {
            if (key.isAcceptable()) {
                SocketChannel ship = door.accept();
                ship.configureBlocking(false);
                ship.register(selector, SelectionKey.OP_READ);
                return;
            }
            ByteBuffer buffer = ByteBuffer.allocate(16);
            SocketChannel ship = (SocketChannel) key.channel();
            if (ship.read(buffer) > 0) {
                flash(buffer.get(0));
                buffer.flip();
                ship.write(buffer);
            }
        }

        private void flash(int times) throws InterruptedException {
            for (int i = 0; i < times; i++) {
                Thread.sleep(60_000);
            }
        }
    }

    static void hail(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(100);
            socket.getInputStream().read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Loop first = new Loop();
        Loop second = new Loop();
        new Thread(first, "io-1").start();
        new Thread(second, "io-2").start();
        int port = first.port();
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> hail(port), "t-" + i).start();
        }
        Thread.sleep(600);
        System.out.println("READY");
    }
}
