package com.acme.orderdb;

import com.acme.ops.Service;
import com.acme.ops.SilentPeer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests in virtual threads on a HikariCP pool of three connections. fault: three requests hold one each and read from a
 * payment server that stays silent; thirty more wait for a connection. load: twelve requests, which go on all the time.
 */
public class OrderDesk {
    private final HikariDataSource pool;
    private final SilentPeer payments = new SilentPeer();
    private final AtomicInteger paying = new AtomicInteger();
    private final AtomicLong stored = new AtomicLong();

    OrderDesk(HikariDataSource pool) {
        this.pool = pool;
    }

    void storeOrder(int number) throws SQLException {
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("select " + number);
            stored.incrementAndGet();
        }
    }

    void payOrder(int number) throws SQLException, IOException {
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement();
                Socket socket = payments.connect()) {
            statement.execute("select " + number);
            socket.getOutputStream().write(number);
            paying.incrementAndGet();
            readReceipt(socket);
        }
    }

    private int readReceipt(Socket socket) throws IOException {
        return socket.getInputStream().read();
    }

    interface Work {
        void run() throws Exception;
    }

    private static Thread start(String name, Work work) {
        return Thread.ofVirtual().name(name).start(() -> {
            try {
                work.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void fault() {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int order = i;
            threads.add(start("order-pay-" + i, () -> payOrder(order)));
        }
        Service.await(() -> paying.get() == 3);
        for (int i = 0; i < 30; i++) {
            int order = i;
            threads.add(start("order-store-" + i, () -> storeOrder(order)));
        }
        Service.awaitWaiting(threads);
    }

    private void load() {
        for (int i = 0; i < 12; i++) {
            int first = i;
            start("order-store-" + i, () -> {
                for (int number = first; ; number++) {
                    storeOrder(number);
                    Thread.sleep(15);
                }
            });
        }
        Service.await(() -> stored.get() > 200);
    }

    public static void main(String[] args) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setPoolName("orders");
        config.setJdbcUrl("jdbc:h2:mem:orders");
        config.setMaximumPoolSize(3);
        config.setConnectionTimeout(3_600_000);
        OrderDesk desk = new OrderDesk(new HikariDataSource(config));
        desk.storeOrder(0);
        switch (args[0]) {
            case "fault" -> desk.fault();
            case "load" -> desk.load();
            default -> Thread.sleep(200);
        }
        Service.run();
    }
}
