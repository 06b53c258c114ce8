import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Three workers ask a peer that never answers, tasks queue up behind them, two threads and main wait for results. */
public class Couloir {
    private final int port;

    Couloir(int port) {
        this.port = port;
    }

    private int climb(int from) throws IOException {
        return from + ask(from);
    }

    private int ask(int from) throws IOException {
        try (Socket rope = new Socket(InetAddress.getLoopbackAddress(), port)) {
            rope.getOutputStream().write(from);
            return rope.getInputStream().read();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket summit = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Couloir couloir = new Couloir(summit.getLocalPort());
        ExecutorService party = Executors.newFixedThreadPool(3);
        List<Future<Integer>> climbs = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            int from = i;
            climbs.add(party.submit(() -> couloir.climb(from)));
        }
        for (int i = 1; i <= 2; i++) {
            Future<Integer> climb = climbs.get(8 - i);
            new Thread(() -> {
                try {
                    System.err.println(climb.get());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }, "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
        System.err.println(climbs.get(0).get());
    }
}
