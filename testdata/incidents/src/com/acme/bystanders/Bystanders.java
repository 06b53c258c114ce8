package com.acme.bystanders;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Starts what else lives in such a process and is well, then the program that the first argument names: an idle pool of
 * connections, a thread that looks at a licence file every second, a periodic task.
 */
public final class Bystanders {
    private static final AtomicLong BEATS = new AtomicLong();

    private Bystanders() {
    }

    public static void main(String[] args) throws Exception {
        startPool();
        startLicenceCheck();
        Executors.newSingleThreadScheduledExecutor(Bystanders::heartbeatThread)
                .scheduleAtFixedRate(BEATS::incrementAndGet, 0, 500, TimeUnit.MILLISECONDS);
        Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }

    private static void startPool() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setPoolName("settings-db");
        config.setJdbcUrl("jdbc:h2:mem:settings;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(3);
        HikariDataSource settings = new HikariDataSource(config);
        try (Connection connection = settings.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("create table settings(name varchar(40), setting varchar(40))");
        }
    }

    private static void startLicenceCheck() {
        Thread thread = new Thread(Bystanders::checkLicence, "licence-check");
        thread.setDaemon(true);
        thread.start();
    }

    private static void checkLicence() {
        try {
            while (System.currentTimeMillis() > 0) {
                Thread.sleep(1_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread heartbeatThread(Runnable task) {
        Thread thread = new Thread(task, "heartbeat");
        thread.setDaemon(true);
        return thread;
    }
}
