import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A port that is bound so that no second instance starts, and that others have knocked at; a server next to it answers. */
public class Porch {
    private final ServerSocket only;
    private final ServerSocket door;

    Porch() throws IOException {
        only = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    private void open() {
        try {
            while (true) {
                try (Socket guest = door.accept()) {
                    guest.getOutputStream().write(1);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void rounds() {
        try {
            while (true) {
                sweep();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sweep() throws InterruptedException {
        TimeUnit.MINUTES.sleep(10);
    }

    public static void main(String[] args) throws Exception {
        Porch porch = new Porch();
        new Thread(porch::open, "t-1").start();
        new Thread(porch::rounds, "t-2").start();
        List<Socket> knocks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            knocks.add(new Socket(InetAddress.getLoopbackAddress(), porch.only.getLocalPort()));
            try (Socket guest = new Socket(InetAddress.getLoopbackAddress(), porch.door.getLocalPort())) {
                guest.getInputStream().read();
            }
        }
        System.out.println("READY");
        while (!knocks.isEmpty()) {
            Thread.sleep(300);
            try (Socket guest = new Socket(InetAddress.getLoopbackAddress(), porch.door.getLocalPort())) {
                guest.getInputStream().read();
            }
        }
    }
}
