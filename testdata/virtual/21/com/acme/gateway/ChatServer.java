package com.acme.gateway;

import com.acme.ops.Service;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Healthy: a server with a virtual thread that accepts, and one for each connection. Fifty clients have said hello and are
 * silent since.
 */
public class ChatServer {
    private static final CountDownLatch GREETED = new CountDownLatch(50);

    static void acceptAll(ServerSocket door) {
        try {
            for (int i = 0; ; i++) {
                Socket client = door.accept();
                Thread.ofVirtual().name("chat-" + i).start(() -> serve(client));
            }
        } catch (IOException e) {
            System.err.println("door: " + e);
        }
    }

    static void serve(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                client.getOutputStream().write(b);
                GREETED.countDown();
            }
        } catch (IOException e) {
            System.err.println("client: " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket door = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("chat-acceptor").start(() -> acceptAll(door));
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Socket client = new Socket(door.getInetAddress(), door.getLocalPort());
            client.getOutputStream().write('!');
            clients.add(client);
        }
        GREETED.await();
        Thread.sleep(200);
        Service.run();
        clients.clear();
    }
}
