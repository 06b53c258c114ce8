import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** Two virtual threads wait for a lock inside of monitors, on both carriers; who is given it finds none to run on. */
public class Curlews {
    static class Channel {
        final ReentrantLock lock = new ReentrantLock();
        private long sent;

        void send(long n) {
            lock.lock();
            try {
                sent += n;
            } finally {
                lock.unlock();
            }
        }

        void flush(CountDownLatch held, CountDownLatch go) {
            lock.lock();
            try {
                held.countDown();
                go.await();
                sent = 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
        }
    }

    static class Visit {
        private final Channel channel;

        Visit(Channel channel) {
            this.channel = channel;
        }

        void tell() {
            channel.send(1);
        }

        synchronized void close() {
            channel.send(2);
        }
    }

    public static void main(String[] args) throws Exception {
        Channel channel = new Channel();
        CountDownLatch held = new CountDownLatch(1), go = new CountDownLatch(1);
        Thread flusher = new Thread(() -> channel.flush(held, go), "t-1");
        flusher.start();
        held.await();
        List<Thread> visits = new ArrayList<>();
        visits.add(Thread.ofVirtual().name("v-0").start(new Visit(channel)::tell));
        while (channel.lock.getQueueLength() < 1)
            Thread.sleep(5);
        for (int i = 1; i <= 20; i++)
            visits.add(Thread.ofVirtual().name("v-" + i).start(new Visit(channel)::close));
        while (channel.lock.getQueueLength() < 3)
            Thread.sleep(5);
        go.countDown();
        flusher.join();
        Thread.sleep(500);
        System.out.println("READY");
        for (Thread visit : visits)
            visit.join();
    }
}
