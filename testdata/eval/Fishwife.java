import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Three ask what the boats bring, each with a time limit of half a minute on the answer, which comes after ten seconds; two wait for what they hear. */
public class Fishwife {
    private static void answer(ServerSocket quay) {
        try {
            while (true) {
                Socket boat = quay.accept();
                new Thread(() -> serve(boat), "boat-" + boat.getPort()).start();
            }
        } catch (IOException e) {
            System.err.println(e);
        }
    }

    private static void serve(Socket boat) {
        try {
            while (boat.getInputStream().read() >= 0) {
                Thread.sleep(10_000);
                boat.getOutputStream().write('h');
            }
        } catch (IOException | InterruptedException e) {
            System.err.println(e);
        }
    }

    private static int ask(int port) throws IOException {
        try (Socket line = new Socket(InetAddress.getLoopbackAddress(), port)) {
            line.setSoTimeout(30_000);
            InputStream news = line.getInputStream();
            int heard = 0;
            while (true) {
                line.getOutputStream().write('?');
                heard += news.read();
            }
        }
    }

    private static void cry(Future<Integer> news) {
        try {
            System.out.println(news.get());
        } catch (Exception e) {
            System.err.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket quay = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        new Thread(() -> answer(quay), "quay").start();
        ExecutorService askers = Executors.newFixedThreadPool(3);
        List<Future<Integer>> news = new ArrayList<>();
        for (int i = 0; i < 3; i++)
            news.add(askers.submit(() -> ask(quay.getLocalPort())));
        for (int i = 0; i < 2; i++) {
            Future<Integer> one = news.get(i);
            new Thread(() -> cry(one), "t-" + i).start();
        }
        Thread.sleep(1_000);
        System.out.println("READY");
    }
}
