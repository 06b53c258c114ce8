package com.acme.shipping;

import com.acme.ops.Service;
import com.acme.ops.SilentPeer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A virtual thread reads from a silent label printer under a ReentrantLock; fifty others wait for the lock. */
public class LabelService {
    private final ReentrantLock printerLock = new ReentrantLock();
    private final SilentPeer printer = new SilentPeer();

    void printLabel(String parcel) {
        printerLock.lock();
        try {
            send(parcel);
        } finally {
            printerLock.unlock();
        }
    }

    private void send(String parcel) {
        try (Socket socket = printer.connect()) {
            socket.getOutputStream().write(parcel.getBytes());
            readStatus(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int readStatus(Socket socket) throws IOException {
        return socket.getInputStream().read();
    }

    public static void main(String[] args) throws Exception {
        LabelService labels = new LabelService();
        Thread first = Thread.ofVirtual().name("label-0").start(() -> labels.printLabel("parcel-0"));
        Service.await(labels.printerLock::isLocked);
        List<Thread> more = new ArrayList<>();
        for (int i = 1; i <= 50; i++) {
            String parcel = "parcel-" + i;
            more.add(Thread.ofVirtual().name("label-" + i).start(() -> labels.printLabel(parcel)));
        }
        Service.awaitWaiting(more);
        Service.awaitWaiting(first);
        Service.run();
    }
}
