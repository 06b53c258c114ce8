import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class TideTable {
    record Sum(long depth, int marks) {}

    static final class Table {
        private final AtomicLong edition = new AtomicLong();
        private final AtomicLongArray depths = new AtomicLongArray(48);

        void print(String[] marks) {
            edition.incrementAndGet();
            for (int i = 0; i < marks.length; i++) depths.set(i, Long.parseLong(marks[i]));
            edition.incrementAndGet();
        }

        Sum read() {
            for (;;) {
                long begun = edition.get();
                if (begun % 2 == 0) {
                    long sum = 0;
                    int marks = 0;
                    for (int i = 0; i < depths.length(); i++) {
                        long depth = depths.get(i);
                        if (depth > 0) marks++;
                        sum += depth;
                    }
                    if (edition.get() == begun) return new Sum(sum, marks);
                }
                Thread.onSpinWait();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Table table = new Table();
        BlockingQueue<String[]> editions = new LinkedBlockingQueue<>();
        Thread prints = new Thread(() -> {
            while (true) {
                try {
                    table.print(editions.take());
                } catch (NumberFormatException e) {
                    System.err.println("left out: " + e.getMessage());
                } catch (InterruptedException e) {
                    return;
                }
            }
        }, "t-1");
        prints.setDaemon(true);
        prints.start();
        new Thread(() -> {
            long sum = 0;
            try {
                while (sum >= 0) {
                    sum += table.read().depth;
                    Thread.sleep(10);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "t-2").start();
        for (int n = 0; n < 20; n++) {
            editions.put(new String[] {"3", "4", n == 19 ? "low" : "5"}); // an edition that is never finished
            Thread.sleep(30);
        }
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
