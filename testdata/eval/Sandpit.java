import java.io.IOException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** An asynchronous server channel that nobody connects to; main waits in its own monitor. */
public class Sandpit {
    private static final class Greeter implements CompletionHandler<AsynchronousSocketChannel, Void> {
        @Override
        public void completed(AsynchronousSocketChannel child, Void none) {
            try {
                child.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void failed(Throwable cause, Void none) {
            throw new IllegalStateException(cause);
        }
    }

    public static void main(String[] args) throws Exception {
        AsynchronousServerSocketChannel door = AsynchronousServerSocketChannel.open();
        door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        door.accept(null, new Greeter());
        System.out.println("READY");
        synchronized (door) {
            while (door.isOpen()) {
                door.wait();
            }
        }
    }
}
