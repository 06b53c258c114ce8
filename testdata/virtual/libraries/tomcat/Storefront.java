package com.acme.storefront;

import com.acme.ops.Service;
import com.acme.ops.SilentPeer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * Tomcat with a virtual thread for each request. fault: a request reads from a silent warehouse under a lock, fifteen others wait
 * for the lock. load: six clients ask all the time, and each answer takes some milliseconds.
 */
public class Storefront {
    static class StockServlet extends HttpServlet {
        private final transient ReentrantLock stockLock = new ReentrantLock();
        private final transient SilentPeer warehouse = new SilentPeer();
        private final AtomicInteger entered = new AtomicInteger();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int stock = request.getServletPath().equals("/refresh") ? refreshStock() : readStock();
            response.getWriter().println(stock);
        }

        private int readStock() {
            try {
                Thread.sleep(3);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 42;
        }

        private int refreshStock() throws IOException {
            entered.incrementAndGet();
            stockLock.lock();
            try {
                return askWarehouse();
            } finally {
                stockLock.unlock();
            }
        }

        private int askWarehouse() throws IOException {
            try (Socket socket = warehouse.connect()) {
                return readStockLevel(socket);
            }
        }

        private int readStockLevel(Socket socket) throws IOException {
            return socket.getInputStream().read();
        }
    }

    private static final List<Socket> OPEN = new ArrayList<>();
    private static final AtomicLong ANSWERED = new AtomicLong();

    private static Socket request(int port, String path) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        String text = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static void get(int port, String path) throws IOException {
        try (Socket socket = request(port, path)) {
            socket.getInputStream().readAllBytes();
            ANSWERED.incrementAndGet();
        }
    }

    private static void shop(int port) {
        try {
            while (true) {
                get(port, "/stock");
                Thread.sleep(25);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        StockServlet stock = new StockServlet();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("useVirtualThreads", "true");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "stock", stock);
        context.addServletMappingDecoded("/stock", "stock");
        context.addServletMappingDecoded("/refresh", "stock");
        tomcat.start();
        int port = connector.getLocalPort();
        for (int i = 0; i < 5; i++) {
            get(port, "/stock");
        }
        switch (args[0]) {
            case "fault" -> {
                for (int i = 0; i < 16; i++) {
                    OPEN.add(request(port, "/refresh"));
                }
                Service.await(() -> stock.entered.get() == 16);
                Thread.sleep(300);
            }
            case "load" -> {
                for (int i = 0; i < 6; i++) {
                    Thread.ofPlatform().name("shopper-" + i).daemon().start(() -> shop(port));
                }
                Service.await(() -> ANSWERED.get() > 200);
            }
            default -> Thread.sleep(200);
        }
        Service.ready();
        tomcat.getServer().await();
    }
}
