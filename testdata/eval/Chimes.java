import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** One task of a Timer reads from a silent peer, so the Timer's other tasks never run; two threads wait for them. */
public class Chimes {
    static class Strike extends TimerTask {
        private final int port;

        Strike(int port) {
            this.port = port;
        }

        @Override
        public void run() {
            try (Socket tower = new Socket(InetAddress.getLoopbackAddress(), port)) {
                System.out.println(hear(tower));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private int hear(Socket tower) throws IOException {
            return tower.getInputStream().read();
        }
    }

    static void wake(Timer clock) {
        CountDownLatch rung = new CountDownLatch(1);
        clock.schedule(new TimerTask() {
            @Override
            public void run() {
                rung.countDown();
            }
        }, 300);
        try {
            rung.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Timer clock = new Timer();
        clock.schedule(new Strike(peer.getLocalPort()), 0, 1000);
        for (int i = 1; i <= 2; i++) {
            new Thread(() -> wake(clock), "t-" + i).start();
        }
        Thread.sleep(600);
        System.out.println("READY");
        synchronized (peer) {
            peer.wait();
        }
    }
}
