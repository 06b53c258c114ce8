import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Three jobs of a growing pool read from channels that stay silent; main waits for all of them. */
public class Runnels {
    private final InetSocketAddress spring;

    Runnels(InetSocketAddress spring) {
        this.spring = spring;
    }

    private int flow() {
        try (SocketChannel bed = SocketChannel.open(spring)) {
            return drink(bed);
        } catch (IOException e) {
            return -1;
        }
    }

    private int drink(SocketChannel bed) throws IOException {
        ByteBuffer cup = ByteBuffer.allocateDirect(128);
        return bed.read(cup);
    }

    public static void main(String[] args) throws Exception {
        ServerSocketChannel peer = ServerSocketChannel.open();
        peer.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        Runnels runnels = new Runnels((InetSocketAddress) peer.getLocalAddress());
        ExecutorService pool = Executors.newCachedThreadPool();
        CompletableFuture<?>[] all = new CompletableFuture<?>[3];
        for (int i = 0; i < all.length; i++) {
            all[i] = CompletableFuture.supplyAsync(runnels::flow, pool);
        }
        Thread.sleep(500);
        System.out.println("READY");
        CompletableFuture.allOf(all).join();
        peer.close();
    }
}
