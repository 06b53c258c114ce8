import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Kafka clients whose broker is away. The fault: threads share a consumer, and one of them holds its monitor through
 * an hour's poll.
 */
public class Main {
    static class Inbox {
        private final KafkaConsumer<String, String> consumer;
        private long seen;

        Inbox(KafkaConsumer<String, String> consumer) {
            this.consumer = consumer;
            consumer.subscribe(List.of("letters"));
        }

        void listen() {
            while (!Thread.currentThread().isInterrupted()) {
                seen += consumer.poll(Duration.ofSeconds(5)).count();
            }
        }

        synchronized void next() {
            ConsumerRecords<String, String> records = consumer.poll(Duration.ofHours(1));
            seen += records.count();
        }
    }

    public static void main(String[] args) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "readers");
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        Admin.create(settings);
        Inbox inbox = new Inbox(new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer()));
        Thread reader = new Thread(inbox::listen, "t-1");
        if (args[0].equals("fault")) {
            reader = new Thread(inbox::next, "t-1");
        }
        reader.start();
        Thread.sleep(1000);
        if (args[0].equals("fault")) {
            for (int i = 2; i <= 4; i++) {
                new Thread(inbox::next, "t-" + i).start();
            }
            Thread.sleep(500);
        }
        System.out.println("READY");
        reader.join();
    }
}
