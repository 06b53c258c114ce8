package com.acme.billing;

import static org.quartz.CronScheduleBuilder.dailyAtHourAndMinute;

import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.jms.Connection;
import javax.jms.MessageProducer;
import javax.jms.Session;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Account statements between two runs: three consumers wait for messages, Quartz waits for the night. */
public class StatementApp {
    /** Sends the statements of a day. */
    public static class NightlyRun implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            System.out.println("statements sent");
        }
    }

    public static void main(String[] args) throws Exception {
        BrokerService broker = Broker.start("statements");
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("vm://statements?create=false");
        Connection connection = factory.createConnection();
        CountDownLatch printed = new CountDownLatch(30);
        for (int i = 0; i < 3; i++) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue("statements")).setMessageListener(message -> printed.countDown());
        }
        connection.start();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer statements = session.createProducer(session.createQueue("statements"));
        for (int i = 0; i < 30; i++) {
            statements.send(session.createTextMessage("statement " + i));
        }
        startScheduler();
        if (!printed.await(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("statements were not printed");
        }
        System.out.println("READY");
        broker.waitUntilStopped();
    }

    private static void startScheduler() throws Exception {
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", "statements");
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        properties.setProperty("org.quartz.threadPool.threadCount", "4");
        Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
        scheduler.scheduleJob(JobBuilder.newJob(NightlyRun.class).withIdentity("nightly").build(),
                TriggerBuilder.newTrigger().withSchedule(dailyAtHourAndMinute(23, 30)).build());
        scheduler.start();
    }
}
