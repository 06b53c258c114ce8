import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A listener for datagrams, of which one comes in every 300 ms. */
public class Courier {
    private static void listen(DatagramSocket socket) {
        DatagramPacket packet = new DatagramPacket(new byte[64], 64);
        try {
            while (packet.getLength() >= 0) {
                socket.receive(packet);
                packet.setLength(64);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        DatagramSocket ear = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        new Thread(() -> listen(ear), "t-1").start();
        DatagramSocket mouth = new DatagramSocket();
        byte[] word = {1, 2, 3};
        System.out.println("READY");
        while (!mouth.isClosed()) {
            mouth.send(new DatagramPacket(word, word.length, InetAddress.getLoopbackAddress(), ear.getLocalPort()));
            Thread.sleep(300);
        }
    }
}
