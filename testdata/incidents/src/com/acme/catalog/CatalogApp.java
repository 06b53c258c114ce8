package com.acme.catalog;

import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;

/** The product catalog after a deployment: an empty cache, and the first users ask for a camera and for its lens. */
public class CatalogApp {
    public static void main(String[] args) throws Exception {
        JdbcConnectionPool dataSource = JdbcConnectionPool.create("jdbc:h2:mem:catalog;DB_CLOSE_DELAY=-1", "sa", "");
        createSchema(dataSource);
        ProductCatalog catalog = new ProductCatalog(dataSource);
        AtomicInteger number = new AtomicInteger();
        ExecutorService requests = Executors.newFixedThreadPool(6, task -> new Thread(task, "catalog-request-" + number.incrementAndGet()));
        requests.submit(() -> catalog.find("tripod").accessories.size()).get();
        for (int i = 0; i < 4; i++) {
            requests.execute(() -> catalog.find("camera-x100"));
            requests.execute(() -> catalog.find("lens-35mm"));
        }
        Thread.sleep(2_000);
        System.out.println("READY");
        requests.awaitTermination(1, TimeUnit.DAYS);
    }

    private static void createSchema(JdbcConnectionPool dataSource) throws Exception {
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("create table accessories(sku varchar(40), accessory varchar(40))");
            statement.execute("insert into accessories values ('camera-x100', 'lens-35mm'), ('lens-35mm', 'camera-x100'),"
                    + " ('camera-x100', 'tripod'), ('lens-35mm', 'lens-cap')");
            statement.execute("create alias latency for 'com.acme.catalog.CatalogApp.latency'");
            statement.execute("create view slow_view as select latency(200) as millis");
        }
    }

    /** The database's answer time, as a function of H2. */
    public static int latency(int millis) throws InterruptedException {
        Thread.sleep(millis);
        return millis;
    }
}
