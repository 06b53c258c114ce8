import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** A ZooKeeper ensemble of three, whose main class is the real one; and a client. */
public final class Main {
    private static ZooKeeper zk;

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("client")) {
            client(port, args[2]);
            return;
        }
        int id = Integer.parseInt(args[0].substring("peer".length()));
        Files.createDirectories(Path.of("data"));
        Files.writeString(Path.of("data/myid"), String.valueOf(id));
        StringBuilder config = new StringBuilder("tickTime=1000\ninitLimit=20\nsyncLimit=10\nadmin.enableServer=false\n"
            + "dataDir=" + Path.of("data").toAbsolutePath() + "\nclientPort=" + (port + id) + "\n");
        for (int i = 1; i <= 3; i++) {
            config.append("server." + i + "=localhost:" + (port + 10 + i) + ":" + (port + 20 + i) + "\n");
        }
        Files.writeString(Path.of("zoo.cfg"), config);
        Stage.readyAt(port + id);
        QuorumPeerMain.main(new String[] {"zoo.cfg"});
    }

    private static void client(int port, String fault) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        zk = new ZooKeeper("localhost:" + (port + 1) + ",localhost:" + (port + 2) + ",localhost:" + (port + 3), 20_000,
            event -> connected.countDown());
        connected.await();
        if (fault.equals("watcher")) {
            zk.create("/jobs", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            zk.getChildren("/jobs", Main::lead);
            zk.create("/jobs/1", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        Stage.ready();
        Stage.awaitLoad();
        Stage.repeat("writer", 3, 20, () -> {
            String path = zk.create("/item-", new byte[100], ZooDefs.Ids.OPEN_ACL_UNSAFE,
                CreateMode.EPHEMERAL_SEQUENTIAL);
            zk.setData(path, new byte[ThreadLocalRandom.current().nextInt(200)], 0);
            zk.delete(path, 1);
            return null;
        });
        Stage.repeat("reader", 3, 10, () -> {
            List<String> children = zk.getChildren("/", false);
            return zk.exists("/" + children.get(0), false);
        });
    }

    /** Waits in an event for another event, which the same thread would bring. */
    private static void lead(WatchedEvent event) {
        CountDownLatch elected = new CountDownLatch(1);
        zk.exists("/jobs/2", null, (code, path, context, stat) -> elected.countDown(), null);
        try {
            elected.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
