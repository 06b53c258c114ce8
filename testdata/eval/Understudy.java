import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Three can play a part; who has it plays on, and the others ask every few seconds whether it is to be had. */
public class Understudy {
    static final ReentrantLock part = new ReentrantLock();
    static final AtomicLong lines = new AtomicLong();

    static void perform() throws InterruptedException {
        while (true) {
            if (!part.tryLock(5, TimeUnit.SECONDS)) {
                continue;
            }
            try {
                while (true) {
                    lines.incrementAndGet();
                    Thread.sleep(80);
                }
            } finally {
                part.unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 1; i <= 3; i++) {
            new Thread(() -> {
                try {
                    perform();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "t-" + i).start();
        }
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
