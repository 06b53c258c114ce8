import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;

/** A hand-written pool of connections: its three are held in reads that get no answer, four threads wait for one. */
public class Stables {
    static class Horses {
        private final Deque<Socket> free = new ArrayDeque<>();

        Horses(int port, int size) throws IOException {
            for (int i = 0; i < size; i++) {
                free.push(new Socket(InetAddress.getLoopbackAddress(), port));
            }
        }

        synchronized Socket borrow() throws InterruptedException {
            while (free.isEmpty()) {
                wait();
            }
            return free.pop();
        }

        synchronized void giveBack(Socket horse) {
            free.push(horse);
            notify();
        }
    }

    private final Horses horses;

    Stables(Horses horses) {
        this.horses = horses;
    }

    void ride() {
        try {
            Socket horse = horses.borrow();
            try {
                gallop(horse);
            } finally {
                horses.giveBack(horse);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int gallop(Socket horse) throws IOException {
        horse.getOutputStream().write(1);
        return horse.getInputStream().read();
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Stables stables = new Stables(new Horses(peer.getLocalPort(), 3));
        for (int i = 1; i <= 7; i++) {
            new Thread(stables::ride, "t-" + i).start();
            Thread.sleep(60);
        }
        Thread.sleep(300);
        System.out.println("READY");
        synchronized (peer) {
            peer.wait();
        }
    }
}
