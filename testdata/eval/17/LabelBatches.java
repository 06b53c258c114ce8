import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

public class LabelBatches {
    record Page(int no, String zpl) {}

    record Order(String customer, int parcels) {}

    static class PageRenderer {
        Page render(Order o, int no) {
            StringBuilder sb = new StringBuilder("^XA");
            for (int i = 0; i < 200; i++) sb.append("^FO").append(i * no).append(o.customer());
            return new Page(no, sb.append("^XZ").toString());
        }
    }

    static class LabelService {
        private final ThreadPoolExecutor pool;
        private final PageRenderer renderer = new PageRenderer();
        private final Queue<String> spooled = new ConcurrentLinkedQueue<>();

        LabelService(int size) {
            AtomicInteger n = new AtomicInteger();
            pool = new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                    r -> new Thread(r, "render-" + n.incrementAndGet()));
        }

        Future<?> accept(Order o) {
            return pool.submit(() -> print(o));
        }

        private void print(Order o) {
            String address = resolve(o);
            List<Page> pages = assemble(o);
            spooled.add(address + pages.size());
        }

        private String resolve(Order o) {
            try {
                Thread.sleep(120);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return o.customer() + "/DE";
        }

        private List<Page> assemble(Order o) {
            List<CompletableFuture<Page>> parts = IntStream.range(0, o.parcels())
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> renderer.render(o, i), pool))
                    .toList();
            CompletableFuture.allOf(parts.toArray(new CompletableFuture[0])).join();
            return parts.stream().map(CompletableFuture::join).toList();
        }

        int waiting() {
            return pool.getQueue().size();
        }
    }

    static class PrinterFleet {
        private final Map<String, Integer> toner = new ConcurrentHashMap<>();

        void poll() {
            for (int i = 0; i < 40; i++) toner.merge("PRN-" + i, 1, (a, b) -> (a * 31 + b) % 100);
        }
    }

    public static void main(String[] args) throws Exception {
        LabelService labels = new LabelService(4);
        PrinterFleet fleet = new PrinterFleet();
        ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "printer-poll"));
        poller.scheduleWithFixedDelay(fleet::poll, 0, 80, TimeUnit.MILLISECONDS);
        ExecutorService stock = Executors.newFixedThreadPool(2, r -> new Thread(r, "stock-sync"));
        stock.submit(fleet::poll);
        stock.submit(fleet::poll);

        Future<?> warm = labels.accept(new Order("ACME", 2));
        warm.get(20, TimeUnit.SECONDS);
        for (int i = 0; i < 8; i++) labels.accept(new Order("CUST-" + i, 5));

        Thread intake = new Thread(() -> {
            int k = 0;
            while (true) {
                try {
                    Thread.sleep(700);
                } catch (InterruptedException e) {
                    return;
                }
                labels.accept(new Order("WEB-" + k++, 3));
            }
        }, "order-intake");
        intake.start();

        int calm = 0;
        while (calm < 5) {
            Thread.sleep(200);
            long parked = Thread.getAllStackTraces().keySet().stream()
                    .filter(t -> t.getName().startsWith("render-") && t.getState() == Thread.State.WAITING).count();
            calm = parked == 4 && labels.waiting() > 15 ? calm + 1 : 0;
        }
        System.out.println("READY");
        System.out.flush();
    }
}
