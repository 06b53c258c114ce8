package com.acme.billing;

import java.util.concurrent.atomic.AtomicLong;
import javax.jms.Connection;
import javax.jms.JMSException;
import javax.jms.Message;
import javax.jms.MessageListener;
import javax.jms.MessageProducer;
import javax.jms.Session;
import javax.jms.TextMessage;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.region.policy.PolicyEntry;
import org.apache.activemq.broker.region.policy.PolicyMap;

/**
 * Takes orders from one queue of an embedded ActiveMQ and puts an invoice for each into another one. The application that
 * archives invoices was switched off, and the broker allows a queue one megabyte.
 */
public class InvoiceRouter implements MessageListener {
    private final Session session;
    private final MessageProducer invoices;
    private final AtomicLong routed = new AtomicLong();

    InvoiceRouter(Connection connection) throws Exception {
        session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        invoices = session.createProducer(session.createQueue("invoices.archive"));
        session.createConsumer(session.createQueue("orders")).setMessageListener(this);
    }

    @Override
    public void onMessage(Message message) {
        try {
            TextMessage invoice = session.createTextMessage("invoice for " + ((TextMessage) message).getText());
            invoices.send(invoice);
            routed.incrementAndGet();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        BrokerService broker = Broker.start("billing");
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("vm://billing?create=false");
        Connection routing = factory.createConnection();
        InvoiceRouter router = new InvoiceRouter(routing);
        routing.start();

        new Thread(() -> importOrders(factory), "erp-import").start();
        long before;
        do {
            before = router.routed.get();
            Thread.sleep(1_000);
        } while (router.routed.get() != before);
        System.out.println("READY");
        broker.waitUntilStopped();
    }

    private static void importOrders(ActiveMQConnectionFactory factory) {
        try {
            Connection erp = factory.createConnection();
            erp.start();
            Session session = erp.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer orders = session.createProducer(session.createQueue("orders"));
            String text = "order of a customer ".repeat(400);
            for (int i = 0; i < 400; i++) {
                orders.send(session.createTextMessage(text));
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}

final class Broker {
    private Broker() {
    }

    static BrokerService start(String name) throws Exception {
        PolicyEntry policy = new PolicyEntry();
        policy.setMemoryLimit(512 * 1024);
        policy.setProducerFlowControl(true);
        PolicyMap policies = new PolicyMap();
        policies.setDefaultEntry(policy);
        BrokerService broker = new BrokerService();
        broker.setBrokerName(name);
        broker.setPersistent(false);
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.setDestinationPolicy(policies);
        broker.start();
        broker.waitUntilStarted();
        return broker;
    }
}
