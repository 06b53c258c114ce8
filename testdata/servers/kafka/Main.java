import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A Kafka broker that is its own controller, as kafka.Kafka starts it; and a client that produces and consumes. */
public final class Main {
    static final String TOPIC = "orders";

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("broker")) {
            broker(port, args[2]);
        } else {
            client(port, args[2]);
        }
    }

    private static void broker(int port, String fault) throws Exception {
        Path config = Path.of("server.properties");
        Files.writeString(config, "process.roles=broker,controller\nnode.id=1\n"
            + "controller.quorum.voters=1@localhost:" + (port + 1) + "\n"
            + "listeners=PLAINTEXT://localhost:" + port + ",CONTROLLER://localhost:" + (port + 1) + "\n"
            + "advertised.listeners=PLAINTEXT://localhost:" + port + "\ncontroller.listener.names=CONTROLLER\n"
            + "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT\n"
            + "log.dirs=" + Path.of("log").toAbsolutePath() + "\n"
            + "offsets.topic.replication.factor=1\noffsets.topic.num.partitions=5\n"
            + "transaction.state.log.replication.factor=1\ngroup.initial.rebalance.delay.ms=0\n"
            + "share.coordinator.state.topic.replication.factor=1\n"
            + (fault.equals("quota") ? "client.quota.callback.class=Quota\n" : ""));
        int code = kafka.tools.StorageTool.execute(new String[] {"format", "-t", "4L6g3nShT-eMCtK--X86sw",
            "-c", config.toString(), "--ignore-formatted"}, new PrintStream(System.err, true));
        if (code != 0) {
            throw new IllegalStateException("format: " + code);
        }
        Stage.readyAt(port);
        kafka.Kafka.main(new String[] {config.toString()});
    }

    private static void client(int port, String fault) throws Exception {
        Stage.awaitPort(port);
        Map<String, Object> common = Map.of("bootstrap.servers", "localhost:" + port);
        try (Admin admin = Admin.create(common)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 4, (short) 1))).all().get();
        }
        KafkaProducer<String, String> producer = new KafkaProducer<>(common, new StringSerializer(),
            new StringSerializer());
        if (!fault.equals("healthy")) {
            Faults.provoke(fault, producer, consumerProperties(port));
        } else {
            for (int i = 0; i < 2; i++) {
                KafkaConsumer<String, String> consumer = new KafkaConsumer<>(consumerProperties(port));
                consumer.subscribe(List.of(TOPIC));
                Stage.repeat("consumer", 1, 0, () -> {
                    int n = 0;
                    for (ConsumerRecord<String, String> r : consumer.poll(Duration.ofSeconds(1))) {
                        n += r.value().length();
                    }
                    return n;
                });
            }
        }
        Stage.ready();
        Stage.awaitLoad();
        Stage.repeat("sync-producer", 3, 20,
            () -> producer.send(new ProducerRecord<>(TOPIC, "key", "an order")).get());
        Stage.repeat("async-producer", 1, 10, () -> producer.send(new ProducerRecord<>(TOPIC, "x".repeat(500))));
    }

    private static Properties consumerProperties(int port) {
        Properties p = new Properties();
        p.put("bootstrap.servers", "localhost:" + port);
        p.put("group.id", "shop");
        p.put("auto.offset.reset", "earliest");
        p.put("key.deserializer", StringDeserializer.class.getName());
        p.put("value.deserializer", StringDeserializer.class.getName());
        return p;
    }
}
