package com.acme.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server of this JVM that takes connections in its backlog and never answers. */
public final class SilentPeer {
    private final ServerSocket door;

    public SilentPeer() {
        try {
            door = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Socket connect() throws IOException {
        return new Socket(door.getInetAddress(), door.getLocalPort());
    }
}
