import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Cinema seats: requests of many tills share one connection to the seat host; replies come back by their numbers. */
public class SeatGateway {

    /** The host's side of the line, for the demonstration within this process. */
    static final class Host implements Runnable {
        final ServerSocket server;
        Host() throws IOException { server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress()); }
        public void run() {
            try (Socket s = server.accept(); Scanner in = new Scanner(s.getInputStream(), StandardCharsets.US_ASCII)) {
                while (in.hasNextLine()) {
                    String[] f = in.nextLine().split(" ");
                    int no = Integer.parseInt(f[0]);
                    String answer = f[1].equals("PRICE") ? "1190" : no > 120 && no % 7 == 0 ? "CHANGED" : "HELD";
                    s.getOutputStream().write((no + " " + answer + "\n").getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException e) {
                System.out.println("host closed");
            }
        }
    }

    static final class Line implements Runnable {
        private final Selector selector = Selector.open();
        private final SocketChannel channel;
        private final Map<Integer, CompletableFuture<String>> open = new ConcurrentHashMap<>();
        private final AtomicInteger numbers = new AtomicInteger();
        private final StringBuilder rest = new StringBuilder();

        Line(int port) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
        }

        CompletableFuture<String> ask(String verb, String seat) {
            int no = numbers.incrementAndGet();
            CompletableFuture<String> reply = new CompletableFuture<>();
            open.put(no, reply);
            try {
                synchronized (channel) {
                    ByteBuffer b = StandardCharsets.US_ASCII.encode(no + " " + verb + " " + seat + "\n");
                    while (b.hasRemaining()) channel.write(b);
                }
            } catch (IOException e) {
                reply.completeExceptionally(e);
            }
            return reply;
        }

        public void run() {
            ByteBuffer buf = ByteBuffer.allocate(4096);
            try {
                while (true) {
                    selector.select();
                    selector.selectedKeys().clear();
                    buf.clear();
                    if (channel.read(buf) < 0) return;
                    buf.flip();
                    rest.append(StandardCharsets.US_ASCII.decode(buf));
                    for (int nl; (nl = rest.indexOf("\n")) >= 0; rest.delete(0, nl + 1)) deliver(rest.substring(0, nl));
                }
            } catch (IOException e) {
                System.out.println("line closed");
            }
        }

        private void deliver(String line) {
            int sp = line.indexOf(' ');
            CompletableFuture<String> f = open.remove(Integer.parseInt(line.substring(0, sp)));
            if (f != null) f.complete(line.substring(sp + 1));
        }
    }

    static final class Desk {
        private final Line line;
        private final AtomicLong held = new AtomicLong();
        Desk(Line line) { this.line = line; }

        CompletableFuture<Integer> hold(String seat) {
            return line.ask("HOLD", seat).thenApply(a -> a.equals("CHANGED") ? newPrice(seat) : 990);
        }
        private int newPrice(String seat) {
            return Integer.parseInt(line.ask("PRICE", seat).join());
        }
        void till(int no) {
            Random rnd = new Random(no);
            try {
                while (true) {
                    if (hold("R" + rnd.nextInt(20) + "S" + rnd.nextInt(30)).get() > 0) held.incrementAndGet();
                    Thread.sleep(20 + rnd.nextInt(30));
                }
            } catch (InterruptedException | ExecutionException e) {
                System.out.println("till " + no + " closed: " + e);
            }
        }
    }

    static void start(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        Host host = new Host();
        start("host-1", host);
        Line line = new Line(host.server.getLocalPort());
        start("line-1", line);
        Desk desk = new Desk(line);
        for (int i = 1; i <= 5; i++) { int no = i; start("till-" + i, () -> desk.till(no)); }
        Thread.sleep(6000);
        System.out.println("READY");
        System.out.flush();
        for (int i = 0; i < 26; i++) {
            Thread.sleep(10_000);
            System.out.println("held " + desk.held);
        }
    }
}
