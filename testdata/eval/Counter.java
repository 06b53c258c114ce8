import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server with a thread per connection: one client asks now and then, three keep quiet connections. */
public class Counter {
    private static void serve(Socket client) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream()));
                PrintWriter out = new PrintWriter(client.getOutputStream(), true)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(answer(line));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String answer(String line) {
        return line.toUpperCase();
    }

    private static void ask(Socket socket) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                PrintWriter out = new PrintWriter(socket.getOutputStream(), true)) {
            String reply = "";
            while (reply != null) {
                out.println("stamps");
                reply = in.readLine();
                Thread.sleep(100);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        ExecutorService staff = Executors.newCachedThreadPool();
        Socket[] quiet = new Socket[3];
        for (int i = 0; i < quiet.length; i++) {
            quiet[i] = new Socket(InetAddress.getLoopbackAddress(), door.getLocalPort());
            Socket accepted = door.accept();
            staff.execute(() -> serve(accepted));
        }
        Socket busy = new Socket(InetAddress.getLoopbackAddress(), door.getLocalPort());
        Thread customer = new Thread(() -> ask(busy), "t-1");
        customer.setDaemon(true);
        customer.start();
        System.out.println("READY");
        while (quiet[0].isConnected()) {
            Socket accepted = door.accept();
            staff.execute(() -> serve(accepted));
        }
    }
}
