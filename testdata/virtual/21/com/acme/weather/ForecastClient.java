package com.acme.weather;

import com.acme.ops.Service;
import com.acme.ops.SilentPeer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/** Eight virtual threads read an answer from a peer that took the connection and stays silent; there is no time limit. */
public class ForecastClient {
    private final SilentPeer peer = new SilentPeer();
    private final CountDownLatch asked = new CountDownLatch(8);

    int forecast(String city) {
        try (Socket socket = peer.connect()) {
            socket.getOutputStream().write((city + "\n").getBytes());
            asked.countDown();
            return readAnswer(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int readAnswer(Socket socket) throws IOException {
        return socket.getInputStream().read();
    }

    public static void main(String[] args) throws Exception {
        ForecastClient client = new ForecastClient();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            String city = "city-" + i;
            threads[i] = Thread.ofVirtual().name("forecast-" + i).start(() -> client.forecast(city));
        }
        client.asked.await();
        Service.awaitWaiting(threads);
        Service.run();
    }
}
