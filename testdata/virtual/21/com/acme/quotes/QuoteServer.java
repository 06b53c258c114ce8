package com.acme.quotes;

import com.acme.ops.Service;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Healthy: the JDK's HTTP server with a virtual thread for each request, and ten clients that ask all the time. */
public class QuoteServer {
    private static final AtomicLong ANSWERED = new AtomicLong();

    static void answer(HttpExchange exchange) throws IOException {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        byte[] quote = "101.25".getBytes();
        exchange.sendResponseHeaders(200, quote.length);
        exchange.getResponseBody().write(quote);
        exchange.close();
    }

    static void ask(HttpClient client, URI uri) {
        try {
            while (true) {
                client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
                ANSWERED.incrementAndGet();
                Thread.sleep(30);
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("client: " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/quote", QuoteServer::answer);
        server.setExecutor(Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("http-", 0).factory()));
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/quote");
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < 10; i++) {
            Thread.ofVirtual().name("quote-client-" + i).start(() -> ask(client, uri));
        }
        Service.await(() -> ANSWERED.get() > 50);
        Service.run();
    }
}
