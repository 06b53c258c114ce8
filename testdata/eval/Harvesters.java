import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Four threads asked a peer that never answers; main waits for them to end. */
public class Harvesters {
    private final int port;

    Harvesters(int port) {
        this.port = port;
    }

    private void fetch() {
        try (Socket field = new Socket(InetAddress.getLoopbackAddress(), port)) {
            field.getOutputStream().write('?');
            System.out.println(crop(new DataInputStream(field.getInputStream())));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private int crop(DataInputStream in) throws IOException {
        return in.readInt();
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread[] team = new Thread[4];
        for (int i = 0; i < team.length; i++) {
            team[i] = new Thread(new Harvesters(peer.getLocalPort())::fetch, "t-" + (i + 1));
            team[i].start();
        }
        Thread.sleep(400);
        System.out.println("READY");
        for (Thread t : team) {
            t.join();
        }
        peer.close();
    }
}
