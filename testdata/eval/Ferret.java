import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** A selector loop never reads what is ready, so that select returns at once, every time. */
public class Ferret {
    private final Selector selector = Selector.open();
    private long looks;

    Ferret() throws IOException {
        Pipe burrow = Pipe.open();
        burrow.source().configureBlocking(false);
        burrow.source().register(selector, SelectionKey.OP_READ);
        burrow.sink().write(ByteBuffer.wrap(new byte[8]));
    }

    private void dig() {
        try {
            while (selector.isOpen()) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    look(key);
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void look(SelectionKey key) {
        if (key.isAcceptable()) {
            key.cancel();
        }
        looks++;
    }

    public static void main(String[] args) throws Exception {
        new Thread(new Ferret()::dig, "t-1").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
