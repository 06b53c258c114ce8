package com.acme.shop;

import com.acme.net.Loopback;
import com.zaxxer.hikari.HikariDataSource;

/** The shop's checkout: Tomcat, a pool of five database connections, a tax service of a partner. */
public class CheckoutApp {
    public static void main(String[] args) throws Exception {
        ShopServer server = new ShopServer();
        HikariDataSource dataSource = server.dataSource();
        OrderService orders =
                new OrderService(dataSource, new TaxClient("http://127.0.0.1:" + Loopback.silentPartner()));
        orders.createSchema();
        int port = server.start(orders);
        for (int i = 0; i < 14; i++) {
            Loopback.request(port, "POST", "/checkout?country=DE&net=" + (10 + i));
        }
        while (dataSource.getHikariPoolMXBean().getThreadsAwaitingConnection() < 9) {
            Thread.sleep(50);
        }
        System.out.println("READY");
        server.await();
    }
}
