import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Water utility: burst alarms are handled by one virtual thread each, traces go to a collector. */
public class AlarmTrace {

    record Alarm(int id, int zone) {}

    static final class TraceCollector implements Runnable {
        private final ServerSocket server;

        TraceCollector() throws IOException {
            server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        }

        @Override
        public void run() {
            try (Socket s = server.accept()) {
                DataInputStream in = new DataInputStream(s.getInputStream());
                DataOutputStream out = new DataOutputStream(s.getOutputStream());
                while (true) {
                    int n = in.readInt();
                    Thread.sleep(25);
                    out.writeInt(n);
                }
            } catch (IOException | InterruptedException e) {
                System.err.println("collector: " + e.getMessage());
            }
        }
    }

    static final class TraceReporter {
        private final ReentrantLock lock = new ReentrantLock();
        private final List<String> batch = new ArrayList<>();
        private final DataInputStream in;
        private final DataOutputStream out;

        TraceReporter(int port) throws IOException {
            Socket s = new Socket(InetAddress.getLoopbackAddress(), port);
            in = new DataInputStream(s.getInputStream());
            out = new DataOutputStream(s.getOutputStream());
        }

        void add(String line) {
            lock.lock();
            try {
                batch.add(line);
            } finally {
                lock.unlock();
            }
        }

        void flush() throws IOException {
            lock.lock();
            try {
                out.writeInt(batch.size());
                in.readInt();
                batch.clear();
            } finally {
                lock.unlock();
            }
        }

        int queued() {
            return lock.getQueueLength();
        }
    }

    static final class Span {
        private final String name;
        private final TraceReporter reporter;
        private long started = System.nanoTime();

        Span(String name, TraceReporter reporter) {
            this.name = name;
            this.reporter = reporter;
        }

        synchronized void restart() {
            started = System.nanoTime();
        }

        synchronized void end() {
            reporter.add(name + " " + (System.nanoTime() - started));
        }
    }

    static final class AlarmService {
        private final TraceReporter reporter;
        private final AtomicInteger handled = new AtomicInteger();

        AlarmService(TraceReporter reporter) {
            this.reporter = reporter;
        }

        void handle(Alarm alarm) {
            Span span = new Span("alarm-" + alarm.id(), reporter);
            route(alarm);
            span.end();
            handled.incrementAndGet();
        }

        void report() {
            try {
                reporter.flush();
            } catch (IOException e) {
                System.err.println("flush: " + e.getMessage());
            }
        }

        private int route(Alarm alarm) {
            int crew = 0;
            for (int i = 0; i < 500; i++) {
                crew = crew * 31 + alarm.zone();
            }
            return crew;
        }
    }

    public static void main(String[] args) throws Exception {
        TraceCollector collector = new TraceCollector();
        Thread.ofPlatform().name("trace-collector").daemon().start(collector);
        TraceReporter reporter = new TraceReporter(collector.server.getLocalPort());
        AlarmService service = new AlarmService(reporter);
        ExecutorService alarms = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("alarm-", 1).factory());
        ScheduledExecutorService scada = Executors.newScheduledThreadPool(2, r -> new Thread(r, "scada-feed"));
        AtomicInteger ids = new AtomicInteger();
        scada.scheduleAtFixedRate(() -> {
            if (ids.get() - service.handled.get() < 400) {
                int id = ids.incrementAndGet();
                if (id % 10 == 0) {
                    alarms.execute(service::report);
                }
                alarms.execute(() -> service.handle(new Alarm(id, id % 12)));
            }
        }, 5, 5, TimeUnit.MILLISECONDS);
        int seen = 0;
        int before = -1;
        while (seen < 30) {
            int now = service.handled.get();
            seen = now == before && reporter.queued() >= 2 && ids.get() > now + 20 ? seen + 1 : 0;
            before = now;
            Thread.sleep(60);
        }
        System.out.println("READY");
        System.out.flush();
    }
}
