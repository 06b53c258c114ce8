package com.acme.reports;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Reports every second with Quartz, on an H2 database, to which a price import writes as well. */
public class ReportApp {
    static final String DATA_SOURCE = "dataSource";

    /** Changes the prices of a region in one transaction. */
    static class PriceImport {
        private final Connection connection;

        PriceImport(DataSource dataSource) throws SQLException {
            connection = dataSource.getConnection();
            connection.setAutoCommit(false);
        }

        void run(String region, String... factors) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                for (String factor : factors) {
                    statement.executeUpdate("update totals set cents = cents * " + Double.parseDouble(factor)
                            + " where region = '" + region + "'");
                }
            }
            connection.commit();
        }
    }

    public static void main(String[] args) throws Exception {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:reports;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=3600000");
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("create table totals(region varchar(10) primary key, cents bigint, runs int)");
            statement.execute("insert into totals values ('north', 100000, 0), ('south', 200000, 0)");
        }
        PriceImport prices = new PriceImport(dataSource);
        prices.run("north", "1.02");
        Scheduler scheduler = startReports(dataSource);
        Thread.sleep(1_200);
        Thread nightly = new Thread(() -> importPrices(prices), "price-import");
        nightly.start();
        nightly.join();
        while (scheduler.getCurrentlyExecutingJobs().size() < 3) {
            Thread.sleep(100);
        }
        Thread.sleep(500);
        System.out.println("READY");
        new CountDownLatch(1).await();
    }

    private static void importPrices(PriceImport prices) {
        try {
            prices.run("south", "1.03", "1,04");
        } catch (SQLException | NumberFormatException e) {
            System.err.println("price import failed: " + e.getMessage());
        }
    }

    private static Scheduler startReports(DataSource dataSource) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", "reports");
        properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        properties.setProperty("org.quartz.threadPool.threadCount", "3");
        Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
        JobDataMap data = new JobDataMap();
        data.put(DATA_SOURCE, dataSource);
        scheduler.scheduleJob(JobBuilder.newJob(TotalsReport.class).withIdentity("totals").usingJobData(data).build(),
                TriggerBuilder.newTrigger().withSchedule(
                        SimpleScheduleBuilder.simpleSchedule().withIntervalInMilliseconds(300).repeatForever()).build());
        scheduler.start();
        return scheduler;
    }
}
