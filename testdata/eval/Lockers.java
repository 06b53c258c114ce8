import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A queue as a pool of sockets: two are held in receives that get no answer, the other workers wait in take. */
public class Lockers {
    private final BlockingQueue<DatagramSocket> free = new ArrayBlockingQueue<>(2);

    byte[] ask(byte[] question) throws IOException, InterruptedException {
        DatagramSocket socket = free.take();
        try {
            return exchange(socket, question);
        } finally {
            free.put(socket);
        }
    }

    private byte[] exchange(DatagramSocket socket, byte[] question) throws IOException {
        DatagramPacket packet = new DatagramPacket(question, question.length, socket.getLocalSocketAddress());
        packet.setPort(9);
        socket.send(packet);
        socket.receive(packet);
        return packet.getData();
    }

    public static void main(String[] args) throws Exception {
        Lockers lockers = new Lockers();
        for (int i = 0; i < 2; i++) {
            lockers.free.add(new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        }
        ExecutorService pool = Executors.newFixedThreadPool(6);
        for (int i = 0; i < 6; i++) {
            pool.submit(() -> lockers.ask(new byte[16]));
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
