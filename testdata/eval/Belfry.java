import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** A Timer and a consumer of a delay queue, both waiting for something due in an hour. */
public class Belfry {
    static class Reminder implements Delayed {
        private final long due;

        Reminder(long due) {
            this.due = due;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    private static void remind(DelayQueue<Reminder> queue) {
        try {
            while (true) {
                System.out.println(queue.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Timer bell = new Timer();
        bell.schedule(new TimerTask() {
            @Override
            public void run() {
                System.out.println("ding");
            }
        }, 3_600_000, 3_600_000);
        DelayQueue<Reminder> queue = new DelayQueue<>();
        queue.add(new Reminder(System.nanoTime() + TimeUnit.HOURS.toNanos(1)));
        new Thread(() -> remind(queue), "t-1").start();
        new Thread(() -> remind(new DelayQueue<>()), "t-2").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
