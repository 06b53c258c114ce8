import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** One thread accepts connections and answers each itself; it rests in the second request, and nobody accepts any more. */
public class Wicket {
    private int seen;

    private void serve(ServerSocket server) {
        try {
            while (true) {
                answer(server.accept());
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(Socket guest) throws IOException, InterruptedException {
        int asked = guest.getInputStream().read();
        greet(guest, asked);
    }

    private void greet(Socket guest, int asked) throws IOException, InterruptedException {
        seen++;
        if (seen > 1) {
            TimeUnit.HOURS.sleep(7);
        }
        guest.getOutputStream().write(asked);
    }

    private static void call(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(7);
            System.err.println(socket.getInputStream().read());
        } catch (IOException e) {
            System.err.println(e.getMessage());
        }
    }

    private static void quiet() throws IOException {
        ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        new Thread(() -> {
            try {
                while (true) {
                    server.accept().close();
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }, "h-1").start();
    }

    public static void main(String[] args) throws Exception {
        quiet();
        Executors.newScheduledThreadPool(1).scheduleAtFixedRate(System::nanoTime, 0, 100, TimeUnit.MILLISECONDS);
        Wicket wicket = new Wicket();
        ServerSocket server = new ServerSocket(0, 20, InetAddress.getLoopbackAddress());
        new Thread(() -> wicket.serve(server), "t-1").start();
        for (int i = 2; i <= 5; i++) {
            new Thread(() -> call(server.getLocalPort()), "t-" + i).start();
            Thread.sleep(50);
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
