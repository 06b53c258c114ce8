import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** An Artemis broker with a journal; and a client with producers and listeners. */
public final class Main {
    static final String QUEUE = "orders";

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("client")) {
            client(port, args[2]);
            return;
        }
        Configuration config = new ConfigurationImpl();
        String data = Path.of("data").toAbsolutePath().toString();
        config.setPersistenceEnabled(true).setSecurityEnabled(false).setJournalDirectory(data + "/journal")
            .setBindingsDirectory(data + "/bindings").setPagingDirectory(data + "/paging")
            .setLargeMessagesDirectory(data + "/large");
        config.addAcceptorConfiguration("tcp", "tcp://localhost:" + port);
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
        broker.setConfiguration(config);
        broker.start();
        if (args[2].equals("plugin")) {
            broker.getActiveMQServer().registerBrokerPlugin(new Faults.Audit());
        }
        Stage.ready();
    }

    private static void client(int port, String fault) throws Exception {
        Stage.awaitPort(port);
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://localhost:" + port);
        Connection connection = factory.createConnection();
        connection.start();
        for (int i = 0; i < 2; i++) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
            consumer.setMessageListener(fault.equals("listener") ? Faults::receive : message -> {
            });
        }
        if (!fault.equals("healthy")) {
            new Thread(() -> {
                try {
                    send(connection.createSession(false, Session.AUTO_ACKNOWLEDGE), 2);
                } catch (Exception e) {
                    e.printStackTrace();
                }
            }, "sender").start();
            Thread.sleep(2000);
        }
        Stage.ready();
        Stage.awaitLoad();
        for (int i = 0; i < 3; i++) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Stage.repeat("producer-" + i, 1, 20, () -> {
                send(session, 1);
                return null;
            });
        }
    }

    private static void send(Session session, int count) throws Exception {
        try (MessageProducer producer = session.createProducer(session.createQueue(QUEUE))) {
            for (int i = 0; i < count; i++) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(new byte[500]);
                producer.send(message);
            }
        }
    }
}
