import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Those who answer on a port wait for a result that nobody brings; who asks them is in the same JVM. */
public class Gatehouse {
    private static final CompletableFuture<Integer> TARIFF = new CompletableFuture<>();
    private static final CountDownLatch ASKED = new CountDownLatch(3);

    static int charge(int axles) throws Exception {
        ASKED.countDown();
        return axles * TARIFF.get();
    }

    static void answer(Socket socket) {
        try (Socket s = socket) {
            for (int axles; (axles = s.getInputStream().read()) >= 0; ) {
                s.getOutputStream().write(charge(axles));
            }
        } catch (Exception e) {
            Thread.currentThread().interrupt();
        }
    }

    static void ask(int port) {
        try (Socket s = new Socket(InetAddress.getLoopbackAddress(), port)) {
            while (true) {
                s.getOutputStream().write(2);
                s.getInputStream().read();
            }
        } catch (IOException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void admit(ServerSocket server, ExecutorService booths) {
        try {
            while (true) {
                Socket s = server.accept();
                booths.execute(() -> answer(s));
            }
        } catch (IOException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ExecutorService booths = Executors.newFixedThreadPool(3);
        new Thread(() -> admit(server, booths), "t-0").start();
        for (int i = 1; i <= 4; i++) {
            new Thread(() -> ask(server.getLocalPort()), "t-" + i).start();
        }
        ASKED.await();
        System.out.println("READY");
    }
}
