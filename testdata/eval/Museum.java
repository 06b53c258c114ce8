import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A read lock is held by a thread that reads from a silent peer; a writer waits, and further readers behind it. */
public class Museum {
    private final ReadWriteLock doors = new ReentrantReadWriteLock();
    private final int port;
    private String title = "none";

    Museum(int port) {
        this.port = port;
    }

    String guide() throws IOException {
        doors.readLock().lock();
        try {
            return title + describe();
        } finally {
            doors.readLock().unlock();
        }
    }

    private String describe() throws IOException {
        try (Socket audio = new Socket(InetAddress.getLoopbackAddress(), port);
                BufferedReader in = new BufferedReader(new InputStreamReader(audio.getInputStream()))) {
            return in.readLine();
        }
    }

    void rename(String to) {
        doors.writeLock().lock();
        try {
            title = to;
        } finally {
            doors.writeLock().unlock();
        }
    }

    String title() {
        doors.readLock().lock();
        try {
            return title;
        } finally {
            doors.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket peer = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Museum museum = new Museum(peer.getLocalPort());
        new Thread(() -> {
            try {
                museum.guide();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }, "t-1").start();
        Thread.sleep(300);
        new Thread(() -> museum.rename("light"), "t-2").start();
        Thread.sleep(200);
        for (int i = 3; i <= 5; i++) {
            new Thread(() -> System.out.println(museum.title()), "t-" + i).start();
        }
        Thread.sleep(200);
        System.out.println("READY");
        synchronized (peer) {
            peer.wait();
        }
    }
}
