import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Faults of a client's own callbacks. */
final class Faults implements ConsumerRebalanceListener {
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final BlockingQueue<String> ORDERS = new ArrayBlockingQueue<>(3);

    static void provoke(String fault, KafkaProducer<String, String> producer, Properties consumer) throws Exception {
        switch (fault) {
            case "callback" -> {
                producer.send(new ProducerRecord<>(Main.TOPIC, "x"), (record, error) -> acknowledge());
                Thread.sleep(1000);
            }
            case "rebalance" -> {
                consume(consumer, new Faults());
                Thread.sleep(8000);
            }
            case "handover" -> {
                consume(consumer, null);
                for (int i = 0; i < 10; i++) {
                    producer.send(new ProducerRecord<>(Main.TOPIC, "order " + i)).get();
                }
                Thread.sleep(8000);
            }
            case "quota" -> {
                for (int i = 0; i < 3; i++) {
                    producer.send(new ProducerRecord<>(Main.TOPIC, i, "k", "x"));
                }
                Thread.sleep(2000);
            }
            default -> throw new IllegalArgumentException(fault);
        }
    }

    private static void consume(Properties properties, Faults listener) {
        KafkaConsumer<String, String> consumer = new KafkaConsumer<>(properties);
        if (listener == null) {
            consumer.subscribe(List.of(Main.TOPIC));
        } else {
            consumer.subscribe(List.of(Main.TOPIC), listener);
        }
        Stage.repeat("consumer", 1, 0, () -> {
            for (ConsumerRecord<String, String> r : consumer.poll(Duration.ofSeconds(1))) {
                handOver(r.value());
            }
            return null;
        });
    }

    private static void handOver(String order) throws InterruptedException {
        ORDERS.put(order);
    }

    private static void acknowledge() {
        await();
    }

    private static void await() {
        try {
            NEVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        await();
    }
}
