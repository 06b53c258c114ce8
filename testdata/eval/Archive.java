import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A thread reads from an empty NIO pipe while it holds a write lock; readers wait for it. */
public class Archive {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final List<Byte> records = new ArrayList<>();
    private final Pipe pipe;

    Archive(Pipe pipe) {
        this.pipe = pipe;
    }

    private final class Importer implements Runnable {
        @Override
        public void run() {
            ByteBuffer buffer = ByteBuffer.allocate(64);
            lock.writeLock().lock();
            try {
                while (fill(buffer) >= 0) {
                    buffer.flip();
                    while (buffer.hasRemaining()) {
                        records.add(buffer.get());
                    }
                    buffer.clear();
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } finally {
                lock.writeLock().unlock();
            }
        }

        private int fill(ByteBuffer buffer) throws IOException {
            return pipe.source().read(buffer);
        }
    }

    int count() {
        lock.readLock().lock();
        try {
            return records.size();
        } finally {
            lock.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Archive archive = new Archive(Pipe.open());
        new Thread(archive.new Importer(), "t-1").start();
        Thread.sleep(300);
        for (int i = 2; i <= 5; i++) {
            new Thread(() -> System.out.println(archive.count()), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
