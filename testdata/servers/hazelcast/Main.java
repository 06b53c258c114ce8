import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.topic.ITopic;
import java.util.concurrent.ThreadLocalRandom;

/** A Hazelcast cluster of two members; and a client. */
public final class Main {
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        System.setProperty("hazelcast.logging.type", "none");
        if (args[0].equals("client")) {
            client(port, args[2]);
            return;
        }
        int id = Integer.parseInt(args[0].substring("member".length()));
        Config config = new Config().setProperty("hazelcast.phone.home.enabled", "false")
            .setProperty("hazelcast.partition.count", "31");
        config.getNetworkConfig().setPort(port + id).setPortAutoIncrement(false).setPublicAddress("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getMulticastConfig().setEnabled(false);
        join.getAutoDetectionConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember("127.0.0.1:" + (port + 1)).addMember("127.0.0.1:" + (port + 2));
        config.getExecutorConfig("jobs").setPoolSize(2);
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        if (!args[2].equals("healthy") && id == 1) {
            Faults.provoke(args[2], member);
            Thread.sleep(2000);
        }
        Stage.ready();
    }

    private static void client(int port, String fault) throws InterruptedException {
        Stage.awaitPort(port + 1);
        Stage.awaitPort(port + 2);
        ClientConfig config = new ClientConfig();
        config.getNetworkConfig().addAddress("127.0.0.1:" + (port + 1), "127.0.0.1:" + (port + 2));
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        IMap<Integer, String> items = client.getMap("items");
        ITopic<String> news = client.getTopic("news");
        news.addMessageListener(message -> message.getMessageObject().length());
        Stage.ready();
        if (!fault.equals("healthy")) {
            return;
        }
        Stage.awaitLoad();
        Stage.repeat("writer", 3, 20, () -> items.put(ThreadLocalRandom.current().nextInt(1000), "an item"));
        Stage.repeat("reader", 3, 10, () -> items.get(ThreadLocalRandom.current().nextInt(1000)));
        Stage.repeat("publisher", 1, 50, () -> {
            news.publish("a new item");
            return null;
        });
    }
}
