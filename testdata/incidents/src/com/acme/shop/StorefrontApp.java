package com.acme.shop;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The shop on a good day: a tax service that answers within milliseconds, and some ten orders a second. */
public class StorefrontApp {
    public static void main(String[] args) throws Exception {
        ShopServer server = new ShopServer();
        OrderService orders = new OrderService(server.dataSource(), new TaxClient("http://127.0.0.1:" + taxService()));
        orders.createSchema();
        int port = server.start(orders);
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest order = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/checkout?country=DE&net=19.90"))
                .POST(HttpRequest.BodyPublishers.noBody()).build();
        if (client.send(order, HttpResponse.BodyHandlers.ofString()).statusCode() != 200) {
            throw new IllegalStateException("the first order failed");
        }
        ScheduledExecutorService users = Executors.newScheduledThreadPool(1, task -> new Thread(task, "load-generator"));
        users.scheduleAtFixedRate(() -> client.sendAsync(order, HttpResponse.BodyHandlers.discarding()), 0, 100, TimeUnit.MILLISECONDS);
        Thread.sleep(1_000);
        System.out.println("READY");
        server.await();
    }

    private static int taxService() throws Exception {
        HttpServer taxes = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        taxes.setExecutor(Executors.newFixedThreadPool(4, task -> new Thread(task, "tax-service")));
        taxes.createContext("/rates/", exchange -> {
            byte[] rate = "0.19\n".getBytes();
            exchange.sendResponseHeaders(200, rate.length);
            exchange.getResponseBody().write(rate);
            exchange.close();
        });
        taxes.start();
        return taxes.getAddress().getPort();
    }
}
