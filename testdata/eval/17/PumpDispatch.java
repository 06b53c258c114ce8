import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Fuel deliveries: drivers call the depot over one of a few modem lines. */
public class PumpDispatch {

    static final class Line {
        final int no;
        int calls;

        Line(int no) {
            this.no = no;
        }

        String ask(int order) {
            calls++;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
            if (order % 9 == 4) {
                throw new IllegalStateException("depot refused order " + order);
            }
            return "ok " + order;
        }
    }

    /** Hands lines out in order of arrival. */
    static final class Switchboard {
        private final Queue<Line> idle = new ArrayDeque<>();
        private final Queue<Thread> queue = new ConcurrentLinkedQueue<>();

        Switchboard(int lines) {
            for (int i = 1; i <= lines; i++) {
                idle.add(new Line(i));
            }
        }

        private synchronized Line poll() {
            return idle.poll();
        }

        Line take() {
            Line l = poll();
            if (l != null) {
                return l;
            }
            Thread me = Thread.currentThread();
            queue.add(me);
            try {
                while ((l = poll()) == null) {
                    LockSupport.park(this);
                }
                return l;
            } finally {
                queue.remove(me);
            }
        }

        void hangUp(Line l) {
            synchronized (this) {
                idle.add(l);
            }
            for (Thread t : queue) {
                LockSupport.unpark(t);
            }
        }
    }

    static final class Delivery implements Runnable {
        private final Switchboard board;
        private final int order;
        private final AtomicInteger sent;

        Delivery(Switchboard board, int order, AtomicInteger sent) {
            this.board = board;
            this.order = order;
            this.sent = sent;
        }

        @Override
        public void run() {
            try {
                Line line = board.take();
                String answer = line.ask(order);
                if (answer.startsWith("ok")) {
                    sent.incrementAndGet();
                }
                board.hangUp(line);
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Switchboard board = new Switchboard(4);
        AtomicInteger sent = new AtomicInteger();
        ExecutorService drivers = Executors.newCachedThreadPool();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(240);
        int order = 0;
        while (order < 46) {
            drivers.execute(new Delivery(board, order++, sent));
            Thread.sleep(60);
        }
        Thread.sleep(1500);
        System.out.println("sent " + sent);
        System.out.println("READY");
        System.out.flush();
        while (System.nanoTime() < end) {
            Thread.sleep(1000);
        }
        System.exit(0);
    }
}
