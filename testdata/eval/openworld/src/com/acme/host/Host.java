package com.acme.host;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * Starts an idle connection pool, an idle web server, an idle event loop group and a scheduler, then calls the main method of
 * the class that the first argument names, with the other arguments. It starts no unnamed thread and no unnamed pool, so that
 * those of the program keep their numbers.
 */
public final class Host {
    private static final AtomicLong BEATS = new AtomicLong();

    private Host() {
    }

    public static void main(String[] args) throws Exception {
        startPool();
        startWebServer();
        startEventLoops();
        startScheduler();
        launch(args[0], Arrays.copyOfRange(args, 1, args.length));
    }

    private static void launch(String mainClass, String[] args) throws Exception {
        Method main = Class.forName(mainClass).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, (Object) args);
    }

    private static void startPool() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setPoolName("settings-db");
        config.setJdbcUrl("jdbc:h2:mem:settings;DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE");
        config.setMaximumPoolSize(3);
        HikariDataSource settings = new HikariDataSource(config);
        try (Connection connection = settings.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("create table settings(name varchar(40), setting varchar(40))");
        }
    }

    private static void startWebServer() throws LifecycleException {
        Tomcat tomcat = new Tomcat();
        tomcat.setPort(0);
        Connector connector = tomcat.getConnector();
        connector.setProperty("address", "127.0.0.1");
        tomcat.start();
    }

    private static void startEventLoops() throws InterruptedException {
        EventLoopGroup loops = new NioEventLoopGroup(2);
        new ServerBootstrap().group(loops).channel(NioServerSocketChannel.class).childHandler(new ChannelInboundHandlerAdapter())
                .bind(InetAddress.getLoopbackAddress(), 0).sync();
        loops.next().submit(BEATS::incrementAndGet).sync();
    }

    private static void startScheduler() {
        ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2, task -> new Thread(task, "heartbeat"));
        scheduler.scheduleAtFixedRate(BEATS::incrementAndGet, 0, 500, TimeUnit.MILLISECONDS);
        scheduler.schedule(BEATS::incrementAndGet, 1, TimeUnit.HOURS);
    }
}
