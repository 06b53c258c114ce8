package com.acme.shop;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** The shop's Tomcat and its connection pool. */
class ShopServer {
    private final Tomcat tomcat = new Tomcat();
    private final HikariDataSource dataSource;

    ShopServer() {
        HikariConfig config = new HikariConfig();
        config.setPoolName("shop-db");
        config.setJdbcUrl("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(5);
        config.setConnectionTimeout(600_000);
        dataSource = new HikariDataSource(config);
    }

    HikariDataSource dataSource() {
        return dataSource;
    }

    int start(OrderService orders) throws LifecycleException {
        java.util.logging.LogManager.getLogManager().reset();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", "20");
        connector.setProperty("minSpareThreads", "4");
        connector.setPort(0);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "checkout", new CheckoutServlet(orders));
        context.addServletMappingDecoded("/checkout", "checkout");
        tomcat.start();
        return connector.getLocalPort();
    }

    void await() {
        tomcat.getServer().await();
    }
}
