import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Paths;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.MBeanServerDelegate;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/**
 * What the JDK has had since 8: RMI and JMX, an HTTP server, file and channel events. The fault: those who ask for a
 * gauge over JMX want a monitor whose owner sleeps.
 */
public class Main {
    public interface GaugeMBean {
        int getLevel();
    }

    public static class Gauge implements GaugeMBean {
        final CountDownLatch filling = new CountDownLatch(1);
        private int level;

        @Override
        public synchronized int getLevel() {
            return level;
        }

        synchronized void fill() {
            filling.countDown();
            try {
                Thread.sleep(3_600_000);
                level++;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final List<Object> KEPT = new ArrayList<>();

    static <T> T keep(T helper) {
        KEPT.add(helper);
        return helper;
    }

    static void startPools() throws Exception {
        keep(new ForkJoinPool(2)).submit(() -> IntStream.range(0, 1000).parallel().sum()).get();
        keep(Executors.newFixedThreadPool(2)).submit(() -> { }).get();
        keep(Executors.newCachedThreadPool()).submit(() -> { }).get();
        keep(Executors.newScheduledThreadPool(2)).submit(() -> { }).get();
        keep(Executors.newWorkStealingPool()).submit(() -> { }).get();
        new Timer().schedule(new TimerTask() {
            @Override
            public void run() {
                KEPT.size();
            }
        }, 3_600_000);
    }

    static void awaitFiles(WatchService watch) {
        try {
            watch.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void startHelpers() throws Exception {
        WatchService watch = keep(FileSystems.getDefault().newWatchService());
        Paths.get(System.getProperty("java.home")).register(watch, StandardWatchEventKinds.ENTRY_CREATE);
        new Thread(() -> awaitFiles(watch), "w-1").start();
        keep(AsynchronousServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))).accept();
        keep(LocateRegistry.createRegistry(0, null, port -> new ServerSocket(port, 50, InetAddress.getLoopbackAddress())));
        keep(new ProcessBuilder("cat").start());
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 50);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        server.start();
        URL page = new URL("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        ((HttpURLConnection) page.openConnection()).getResponseCode();
    }

    static JMXServiceURL startServer(MBeanServer beans) throws IOException {
        JMXServiceURL anyPort = new JMXServiceURL("rmi", "127.0.0.1", 0);
        JMXConnectorServer server = keep(JMXConnectorServerFactory.newJMXConnectorServer(anyPort, null, beans));
        server.start();
        return server.getAddress();
    }

    static MBeanServerConnection connect(JMXServiceURL address) throws IOException {
        JMXConnector connector = keep(JMXConnectorFactory.connect(address));
        return connector.getMBeanServerConnection();
    }

    static void ask(JMXServiceURL address, ObjectName name) {
        try {
            connect(address).getAttribute(name, "Level");
        } catch (IOException | JMException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        startPools();
        startHelpers();
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Gauge gauge = new Gauge();
        ObjectName name = new ObjectName("tank:type=Gauge");
        beans.registerMBean(gauge, name);
        JMXServiceURL address = startServer(beans);
        connect(address).addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, (event, context) -> { }, null, null);
        ask(address, name);
        if (args[0].equals("fault")) {
            new Thread(gauge::fill, "t-1").start();
            gauge.filling.await();
            for (int i = 2; i <= 4; i++) {
                new Thread(() -> ask(address, name), "t-" + i).start();
            }
        }
        Thread.sleep(1000);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
