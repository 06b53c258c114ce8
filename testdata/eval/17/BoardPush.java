import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Recruiting portal: pushes job postings to partner boards. */
public class BoardPush {

    record Posting(int id, String board) {}

    record Reply(int status, int retryAfter) {}

    static final class BoardNode implements Runnable {
        private final ServerSocket server;

        BoardNode() throws IOException {
            server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        }

        @Override
        public void run() {
            while (true) {
                try (Socket s = server.accept()) {
                    s.setSoTimeout(2000);
                    BufferedReader in = new BufferedReader(new InputStreamReader(s.getInputStream()));
                    String line = in.readLine();
                    String answer = line != null && line.endsWith("nordjobs") ? "503 20\n" : "201 0\n";
                    s.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    if (server.isClosed()) {
                        return;
                    }
                }
            }
        }
    }

    static final class BoardClient {
        private final int port;

        BoardClient(int port) {
            this.port = port;
        }

        Reply push(Posting p) throws IOException {
            try (Socket s = new Socket()) {
                s.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 3000);
                s.setSoTimeout(3000);
                s.getOutputStream().write(("PUT " + p.id() + " " + p.board() + "\n").getBytes(StandardCharsets.US_ASCII));
                String line = new BufferedReader(new InputStreamReader(s.getInputStream())).readLine();
                if (line == null) {
                    throw new IOException("empty reply");
                }
                String[] parts = line.split(" ");
                return new Reply(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
            }
        }
    }

    static final class Delivery {
        private static final int ATTEMPTS = 500;
        private final BoardClient client;
        private final AtomicInteger delivered = new AtomicInteger();

        Delivery(BoardClient client) {
            this.client = client;
        }

        void deliver(Posting p) {
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                int wait = 2;
                try {
                    Reply r = client.push(p);
                    if (r.status() == 201) {
                        delivered.incrementAndGet();
                        return;
                    }
                    wait = r.retryAfter();
                } catch (IOException e) {
                    wait = 3;
                }
                if (!hold(wait)) {
                    return;
                }
            }
        }

        private boolean hold(int seconds) {
            try {
                TimeUnit.SECONDS.sleep(seconds);
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        BoardNode node = new BoardNode();
        Thread nodeThread = new Thread(node, "board-node");
        nodeThread.setDaemon(true);
        nodeThread.start();
        Delivery delivery = new Delivery(new BoardClient(node.server.getLocalPort()));
        List<Thread> threads = new ArrayList<>();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(3, 3, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), r -> {
            synchronized (threads) {
                Thread t = new Thread(r, "delivery-" + (threads.size() + 1));
                threads.add(t);
                return t;
            }
        });
        ScheduledExecutorService feed = Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "posting-feed"));
        AtomicInteger ids = new AtomicInteger();
        String[] boards = {"harborwork", "cityjobs", "nordjobs", "skillmart"};
        feed.scheduleAtFixedRate(() -> {
            int id = ids.incrementAndGet();
            pool.execute(() -> delivery.deliver(new Posting(id, boards[id % boards.length])));
        }, 50, 50, TimeUnit.MILLISECONDS);
        int seen = 0;
        int before = -1;
        while (seen < 14) {
            int now = delivery.delivered.get();
            long paused;
            synchronized (threads) {
                paused = threads.stream().filter(t -> t.getState() == Thread.State.TIMED_WAITING).count();
            }
            seen = now == before && paused == 3 && pool.getQueue().size() > 8 ? seen + 1 : 0;
            before = now;
            Thread.sleep(60);
        }
        System.out.println("READY");
        System.out.flush();
    }
}
