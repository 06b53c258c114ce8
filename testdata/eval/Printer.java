import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A scheduled job formats text all the time, while another thread of the pool has little to do. */
public class Printer {
    private final Deque<Integer> lengths = new ArrayDeque<>();

    private void edition() {
        for (int page = 0; page >= 0; page++) {
            lengths.add(page(page).length());
            if (lengths.size() > 100) {
                lengths.remove();
            }
        }
    }

    private String page(int number) {
        return String.format("%08d %s %.3f", number, "headline", number / 7.0);
    }

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService desk = Executors.newScheduledThreadPool(2);
        Printer printer = new Printer();
        desk.scheduleWithFixedDelay(printer::edition, 0, 1, TimeUnit.SECONDS);
        desk.scheduleWithFixedDelay(() -> Thread.yield(), 0, 100, TimeUnit.MILLISECONDS);
        Thread.sleep(500);
        System.out.println("READY");
    }
}
