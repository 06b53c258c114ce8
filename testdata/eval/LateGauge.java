import java.io.*;
import java.net.*;
import java.util.concurrent.*;

public class LateGauge {
    static final class Station implements Runnable {
        private final Socket line;
        Station(Socket line) { this.line = line; }
        @Override public void run() {
            try (BufferedReader in = new BufferedReader(new InputStreamReader(line.getInputStream()));
                    Writer out = new OutputStreamWriter(line.getOutputStream())) {
                for (String asked = in.readLine(); asked != null; asked = in.readLine()) {
                    Thread.sleep(600);
                    out.write("17\n");
                    out.flush();
                }
            } catch (IOException | InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Probe implements Closeable {
        private final Socket line;
        private final BufferedReader in;
        Probe(int port) throws IOException {
            line = new Socket(InetAddress.getLoopbackAddress(), port);
            line.setSoTimeout(20_000);
            in = new BufferedReader(new InputStreamReader(line.getInputStream()));
        }
        String level(int basin) throws IOException {
            line.getOutputStream().write(("level " + basin + "\n").getBytes());
            return in.readLine();
        }
        @Override public void close() throws IOException { line.close(); }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ExecutorService stations = Executors.newCachedThreadPool();
        Thread accepts = new Thread(() -> {
            try {
                while (true) stations.execute(new Station(server.accept()));
            } catch (IOException e) {
                Thread.currentThread().interrupt();
            }
        }, "a-1");
        accepts.setDaemon(true);
        accepts.start();
        ConcurrentMap<Integer, String> levels = new ConcurrentHashMap<>();
        for (int t = 1; t <= 2; t++) {
            int basin = t;
            new Thread(() -> {
                System.out.println("from basin " + basin);
                try (Probe probe = new Probe(server.getLocalPort())) {
                    while (true) levels.put(basin, probe.level(basin));
                } catch (IOException e) {
                    Thread.currentThread().interrupt();
                }
            }, "t-" + t).start();
        }
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
