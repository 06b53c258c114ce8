import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Seat maps of a theatre are drawn by a render host; each map keeps a handle there until nobody uses it. */
public class SeatMaps {

    static final Cleaner CLEANER = Cleaner.create();

    /** Handles at the render host, at most a dozen at a time. */
    static final class RenderHost {
        private final int port;
        private final Semaphore handles = new Semaphore(12);
        private final AtomicInteger ids = new AtomicInteger();

        RenderHost(int port) {
            this.port = port;
        }

        int open() throws InterruptedException {
            if (!handles.tryAcquire()) {
                System.gc(); // maps which nobody uses give their handles back
                handles.acquire();
            }
            return ids.incrementAndGet();
        }

        void goodbye(int id) {
            try (Socket s = new Socket(InetAddress.getLoopbackAddress(), port)) {
                s.getOutputStream().write(("BYE " + id + "\n").getBytes(StandardCharsets.US_ASCII));
                expectOk(s.getInputStream());
            } catch (IOException e) {
                System.err.println("handle " + id + ": " + e);
            } finally {
                handles.release();
            }
        }

        private static void expectOk(InputStream in) throws IOException {
            int c;
            while ((c = in.read()) != '\n') {
                if (c < 0) {
                    throw new IOException("host closed");
                }
            }
        }
    }

    static final class Release implements Runnable {
        private final RenderHost host;
        private final int id;

        Release(RenderHost host, int id) {
            this.host = host;
            this.id = id;
        }

        @Override
        public void run() {
            host.goodbye(id);
        }
    }

    static final class SeatMap {
        final int id;
        final byte[] rows = new byte[8_000];

        SeatMap(RenderHost host) throws InterruptedException {
            id = host.open();
            CLEANER.register(this, new Release(host, id));
        }

        int free(int show) {
            int n = 0;
            for (int i = 0; i < rows.length; i++) {
                if ((i * 31 + show) % 7 != 0) {
                    n++;
                }
            }
            return n;
        }
    }

    public static void main(String[] args) throws Exception {
        // the render host of the test house: takes connections, its program has not come up
        ServerSocket house = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        RenderHost host = new RenderHost(house.getLocalPort());
        ExecutorService web = Executors.newFixedThreadPool(3);
        AtomicInteger shown = new AtomicInteger();
        for (int w = 0; w < 3; w++) {
            web.execute(() -> {
                try {
                    for (int show = 0; show < 2_000; show++) {
                        SeatMap map = new SeatMap(host);
                        if (map.free(show) > 0) {
                            shown.incrementAndGet();
                        }
                        TimeUnit.MILLISECONDS.sleep(120);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        Thread.sleep(4000);
        System.out.println("shown " + shown);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(240_000);
        house.close();
        System.exit(0);
    }
}
