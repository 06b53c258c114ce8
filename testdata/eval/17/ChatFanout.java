import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Chat rooms: members post, one courier per server copies all posts to the transcript service. */
public class ChatFanout {

    record Post(String room, String author, String text) { }

    /** A ring of posts; posters stay in line while it is taken up completely. */
    static class Outbox {
        private final Post[] ring;
        private final Queue<Thread> line = new ConcurrentLinkedQueue<>();
        private int head;
        private int count;

        Outbox(int size) {
            ring = new Post[size];
        }

        private synchronized boolean store(Post p) {
            if (count == ring.length) {
                return false;
            }
            ring[(head + count++) % ring.length] = p;
            notify();
            return true;
        }

        void post(Post p) throws InterruptedException {
            Thread me = Thread.currentThread();
            line.add(me);
            try {
                while (line.peek() != me || !store(p)) {
                    LockSupport.park(this);
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                }
            } finally {
                line.remove(me);
                LockSupport.unpark(line.peek());
            }
        }

        Post next() throws InterruptedException {
            Post p;
            synchronized (this) {
                while (count == 0) {
                    wait();
                }
                p = ring[head];
                ring[head] = null;
                head = (head + 1) % ring.length;
                count--;
            }
            LockSupport.unpark(line.peek());
            return p;
        }
    }

    /** Sends posts to the transcript service and asks again after an error. */
    static class Courier implements Runnable {
        private final Outbox outbox;
        private final int port;
        final AtomicLong delivered = new AtomicLong();

        Courier(Outbox outbox, int port) {
            this.outbox = outbox;
            this.port = port;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    Post p = outbox.next();
                    for (int attempt = 0; !deliver(p); attempt++) {
                        Thread.sleep(Math.min(6000, 500L << Math.min(attempt, 5)));
                    }
                    delivered.incrementAndGet();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        boolean deliver(Post p) {
            try (Socket s = new Socket()) {
                s.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                s.getOutputStream().write((p.room() + "|" + p.author() + "|" + p.text()).getBytes(StandardCharsets.UTF_8));
                return true;
            } catch (IOException e) {
                return false;               // being restarted, comes back soon
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int port;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = probe.getLocalPort();    // the service of this node has been moved away
        }
        Outbox outbox = new Outbox(64);
        Courier courier = new Courier(outbox, port);
        Thread c = new Thread(courier, "part-1");
        c.setDaemon(true);
        c.start();

        ExecutorService members = Executors.newFixedThreadPool(6);
        for (int m = 0; m < 6; m++) {
            String name = "member" + m;
            members.submit(() -> {
                for (int n = 0; n < 1_000_000; n++) {
                    outbox.post(new Post("room" + n % 5, name, "hello " + n));
                    Thread.sleep(20);
                }
                return null;
            });
        }
        Thread.sleep(7000);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(210_000);
        System.out.println("delivered " + courier.delivered.get());
        System.exit(0);
    }
}
