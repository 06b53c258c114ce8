import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Threads want a monitor, its owner wants a ReentrantLock, and that one's owner reads from a silent peer. */
public class Sluice {
    static class Meter {
        private final Lock lock = new ReentrantLock();
        private final int port;

        Meter(int port) {
            this.port = port;
        }

        int read() {
            lock.lock();
            try (Socket sensor = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return sample(sensor);
            } catch (IOException e) {
                return -1;
            } finally {
                lock.unlock();
            }
        }

        private int sample(Socket sensor) throws IOException {
            byte[] value = new byte[4];
            return sensor.getInputStream().read(value, 0, 4);
        }
    }

    private final Meter meter;
    private int flow;

    Sluice(Meter meter) {
        this.meter = meter;
    }

    synchronized int adjust() {
        flow = meter.read();
        return flow;
    }

    synchronized int flow() {
        return flow;
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Sluice sluice = new Sluice(new Meter(peer.getLocalPort()));
        ExecutorService io = Executors.newCachedThreadPool(r -> new Thread(r, "s-1"));
        Future<Integer> first = io.submit(sluice.meter::read);
        Thread.sleep(300);
        new Thread(sluice::adjust, "t-2").start();
        Thread.sleep(200);
        for (int i = 3; i <= 5; i++) {
            new Thread(sluice::flow, "t-" + i).start();
        }
        Thread.sleep(200);
        System.out.println("READY");
        first.get(1, TimeUnit.DAYS);
        peer.close();
    }
}
