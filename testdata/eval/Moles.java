import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A scheduled job connects again and again and keeps both ends, close to the limit of descriptors. */
public class Moles {
    private final Deque<Socket> tunnels = new ArrayDeque<>();
    private final ServerSocket hill;
    private final int limit;

    Moles(ServerSocket hill, int limit) {
        this.hill = hill;
        this.limit = limit;
    }

    private void dig() {
        while (new File("/proc/self/fd").list().length < limit - 14) {
            try {
                tunnels.add(new Socket(InetAddress.getLoopbackAddress(), hill.getLocalPort()));
                tunnels.add(hill.accept());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket hill = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Moles moles = new Moles(hill, Integer.parseInt(args[0]));
        ScheduledExecutorService spring = Executors.newSingleThreadScheduledExecutor();
        spring.scheduleWithFixedDelay(moles::dig, 0, 200, TimeUnit.MILLISECONDS);
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
