import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Two raise and two lower at one condition, and none is there to wake any: each was woken for the other's turn. Beside it a clock ticks. */
public class Slipway {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition turn = lock.newCondition();
    private char berth = 'x';

    void raise(char hull) {
        lock.lock();
        try {
            while (berth != '-') {
                turn.awaitUninterruptibly();
            }
            berth = hull;
            turn.signal();
        } finally {
            lock.unlock();
        }
    }

    void lower(char hull) {
        lock.lock();
        try {
            while (berth != hull) {
                turn.awaitUninterruptibly();
            }
            berth = '-';
            turn.signal();
        } finally {
            lock.unlock();
        }
    }

    class Crane implements Runnable {
        @Override
        public void run() {
            raise('a');
        }
    }

    class Barge implements Runnable {
        @Override
        public void run() {
            lower('b');
        }
    }

    public static void main(String[] args) throws Exception {
        Slipway slipway = new Slipway();
        for (int i = 1; i <= 2; i++) {
            new Thread(slipway.new Crane(), "t-" + i).start();
            new Thread(slipway.new Barge(), "u-" + i).start();
        }
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
        clock.scheduleAtFixedRate(System::nanoTime, 0, 400, TimeUnit.MILLISECONDS);
        Thread.sleep(500);
        System.out.println("READY");
    }
}
