import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.conversantmedia.util.concurrent.DisruptorBlockingQueue;
import com.conversantmedia.util.concurrent.SpinPolicy;
import com.sun.jna.Library;
import com.sun.jna.Native;
import io.methvin.watcher.DirectoryWatcher;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jctools.queues.MpscBlockingConsumerArrayQueue;
import org.postgresql.PGConnection;

/**
 * Threads that wait for whatever comes, alone and as tasks of a pool: notifications of a database, changes of files, items
 * of queues of libraries. Or threads that wait for the answer to a query.
 */
public class Signalbox {
    interface C extends Library {
        int inotify_init();

        int inotify_add_watch(int fd, String path, int mask);

        int poll(int[] fds, long n, int timeout);
    }

    interface Job {
        void run() throws Exception;
    }

    private final ExecutorService jobs = Executors.newCachedThreadPool(r -> new Thread(r, "job"));

    private void inThread(String name, Job job) {
        Thread t = new Thread(() -> tryRun(job), name);
        t.setDaemon(true);
        t.start();
    }

    private void inPool(String name, Job job) {
        jobs.execute(() -> {
            Thread.currentThread().setName("pool-" + name);
            tryRun(job);
        });
    }

    private void both(String name, Job job) {
        inThread(name, job);
        inPool(name, job);
    }

    private static void tryRun(Job job) {
        try {
            job.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Connection connect() throws Exception {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:15999/postgres", "postgres", "postgres");
    }

    void listen() throws Exception {
        Connection c = connect();
        c.createStatement().execute("LISTEN signals");
        PGConnection pg = c.unwrap(PGConnection.class);
        while (true) {
            receive(pg);
        }
    }

    private void receive(PGConnection pg) throws Exception {
        for (Object n : pg.getNotifications(0)) {
            System.out.println(n);
        }
    }

    void watch() throws Exception {
        WatchService w = FileSystems.getDefault().newWatchService();
        Path p = Files.createTempDirectory("box");
        p.register(w, StandardWatchEventKinds.ENTRY_CREATE);
        while (true) {
            changed(w);
        }
    }

    private void changed(WatchService w) throws Exception {
        w.take().reset();
    }

    void inotify() {
        C c = Native.load("c", C.class);
        int fd = c.inotify_init();
        c.inotify_add_watch(fd, "/var/empty", 256);
        while (c.poll(new int[] {fd, 1}, 1, -1) >= 0) {
            System.out.println("changed");
        }
    }

    private final MpscBlockingConsumerArrayQueue<String> orders = new MpscBlockingConsumerArrayQueue<>(64);
    private final MpscBlockingConsumerArrayQueue<String> invoices = new MpscBlockingConsumerArrayQueue<>(64);

    void book(MpscBlockingConsumerArrayQueue<String> q) throws Exception {
        while (true) {
            post(q);
        }
    }

    private void post(MpscBlockingConsumerArrayQueue<String> q) throws Exception {
        System.out.println(q.take());
    }

    void ring() throws Exception {
        RingBuffer<long[]> r = RingBuffer.createMultiProducer(() -> new long[1], 64, new BlockingWaitStrategy());
        SequenceBarrier b = r.newBarrier();
        Sequence s = new Sequence();
        for (long next = 0; ; next++) {
            await(b, next);
        }
    }

    private void await(SequenceBarrier b, long next) throws Exception {
        System.out.println(b.waitFor(next));
    }

    void conversant() throws Exception {
        DisruptorBlockingQueue<String> q = new DisruptorBlockingQueue<>(64, SpinPolicy.BLOCKING);
        while (true) {
            drain(q);
        }
    }

    private void drain(DisruptorBlockingQueue<String> q) throws Exception {
        System.out.println(q.take());
    }

    void query() throws Exception {
        Connection c = connect();
        c.createStatement().execute("select pg_sleep(100000)");
    }

    public static void main(String[] args) throws Exception {
        Signalbox s = new Signalbox();
        switch (args[0]) {
            case "idle" -> {
                s.both("listen", s::listen);
                s.both("watch", s::watch);
                s.both("inotify", s::inotify);
                s.inThread("jctools", () -> s.book(s.orders));
                s.inPool("jctools", () -> s.book(s.invoices));
                s.both("ring", s::ring);
                s.both("conversant", s::conversant);
                s.inThread("directories", () -> DirectoryWatcher.builder().path(Files.createTempDirectory("box"))
                    .listener(e -> System.out.println(e)).build().watch());
                org.apache.pekko.actor.ActorSystem.create("box");
            }
            case "query" -> s.both("query", s::query);
            default -> throw new IllegalArgumentException(args[0]);
        }
        Thread.sleep(3000);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
