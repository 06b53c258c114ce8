package com.acme.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The outside world of a program: users who send requests, and partners who do not answer. It has no thread. */
public final class Loopback {
    private static final List<AutoCloseable> OPEN = new ArrayList<>();

    private Loopback() {
    }

    /** Sends an HTTP request and does not wait for the answer; the connection stays open. */
    public static void request(int port, String method, String path) throws IOException {
        text(port, method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    }

    /** Sends text over a new connection, which stays open. */
    public static void text(int port, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        OPEN.add(socket);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The port of a partner's server that accepts connections and never answers. */
    public static int silentPartner() throws IOException {
        ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        OPEN.add(server);
        return server.getLocalPort();
    }
}
