import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

/** Two selector loops of an echo server; some clients are connected and silent. */
public class Aviary {
    static class Loop implements Runnable {
        private final Selector selector = Selector.open();
        private final ServerSocketChannel door = ServerSocketChannel.open();

        Loop() throws IOException {
            door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            door.configureBlocking(false);
            door.register(selector, SelectionKey.OP_ACCEPT);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    selector.select();
                    Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                    while (keys.hasNext()) {
                        serve(keys.next());
                        keys.remove();
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private void serve(SelectionKey key) throws IOException {
            if (key.isAcceptable()) {
                SocketChannel bird = door.accept();
                bird.configureBlocking(false);
                bird.register(selector, SelectionKey.OP_READ);
                return;
            }
            ByteBuffer song = ByteBuffer.allocate(256);
            SocketChannel bird = (SocketChannel) key.channel();
            if (bird.read(song) < 0) {
                bird.close();
                return;
            }
            song.flip();
            bird.write(song);
        }
    }

    public static void main(String[] args) throws Exception {
        Loop[] loops = {new Loop(), new Loop()};
        SocketChannel[] clients = new SocketChannel[6];
        for (int i = 0; i < loops.length; i++) {
            new Thread(loops[i], "io-" + (i + 1)).start();
        }
        for (int i = 0; i < clients.length; i++) {
            clients[i] = SocketChannel.open(loops[i % 2].door.getLocalAddress());
            clients[i].write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            clients[i].read(ByteBuffer.allocate(3));
        }
        System.out.println("READY");
        while (clients[0].isOpen()) {
            Thread.sleep(5000);
        }
    }
}
