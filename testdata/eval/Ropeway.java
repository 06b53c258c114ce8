import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** Five workers share one fair ReentrantLock, each 30 ms inside per round: a queue whose head keeps changing. */
public class Ropeway {
    private final ReentrantLock cabin = new ReentrantLock(true);
    private long rides;

    void shift() {
        while (!Thread.interrupted()) {
            cabin.lock();
            try {
                ride();
            } finally {
                cabin.unlock();
            }
        }
    }

    private void ride() {
        rides++;
        try {
            Thread.sleep(30);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Ropeway ropeway = new Ropeway();
        ExecutorService pool = Executors.newFixedThreadPool(5);
        for (int i = 0; i < 5; i++) {
            pool.submit(ropeway::shift);
        }
        Thread.sleep(500);
        System.out.println("READY");
    }
}
