import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server with a virtual thread per connection, under light load from three clients in the same JVM. */
public class Wharf {
    private static void serve(Socket boat) {
        try (boat) {
            int cargo = boat.getInputStream().read();
            while (cargo >= 0) {
                boat.getOutputStream().write(cargo + 1);
                cargo = boat.getInputStream().read();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sail(int port) {
        try (Socket boat = new Socket(InetAddress.getLoopbackAddress(), port)) {
            while (boat.isConnected()) {
                boat.getOutputStream().write(1);
                boat.getInputStream().read();
                Thread.sleep(50);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        ExecutorService crew = Executors.newVirtualThreadPerTaskExecutor();
        for (int i = 0; i < 3; i++) {
            crew.execute(() -> sail(door.getLocalPort()));
        }
        System.out.println("READY");
        while (door.isBound()) {
            Socket boat = door.accept();
            crew.execute(() -> serve(boat));
        }
    }
}
