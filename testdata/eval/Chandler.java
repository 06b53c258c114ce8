import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Three producers in front of a full queue; its consumer asks a neighbour with each item, who takes his time to answer. */
public class Chandler {
    static class Neighbour extends Thread {
        private final ServerSocket door;

        Neighbour(ServerSocket door) {
            super("u-2");
            this.door = door;
        }

        @Override
        public void run() {
            try (Socket s = door.accept();
                    BufferedReader in = new BufferedReader(new InputStreamReader(s.getInputStream()));
                    PrintWriter out = new PrintWriter(s.getOutputStream(), true)) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    Thread.sleep(350);
                    out.println(line.length());
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static class Dipper extends Thread {
        private final BlockingQueue<String> rack;
        private final Socket neighbour;
        private long length;

        Dipper(BlockingQueue<String> rack, Socket neighbour) {
            super("u-1");
            this.rack = rack;
            this.neighbour = neighbour;
        }

        @Override
        public void run() {
            try {
                BufferedReader in = new BufferedReader(new InputStreamReader(neighbour.getInputStream()));
                PrintWriter out = new PrintWriter(neighbour.getOutputStream(), true);
                while (true) {
                    length += weigh(rack.take(), out, in);
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private int weigh(String candle, PrintWriter out, BufferedReader in) throws IOException {
            out.println(candle);
            return Integer.parseInt(in.readLine());
        }
    }

    static void hang(BlockingQueue<String> rack) {
        try {
            for (int i = 0; ; i++) {
                rack.put("candle " + i);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        new Neighbour(door).start();
        BlockingQueue<String> rack = new ArrayBlockingQueue<>(8);
        new Dipper(rack, new Socket(door.getInetAddress(), door.getLocalPort())).start();
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> hang(rack), "t-" + i).start();
        }
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
