import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Risk figures: each portfolio joins the partial figures that the market side works out after its fixing delay. */
public class FixingDesk {

    record Figure(String portfolio, String measure, double value) {}

    static final class MarketSide {
        private final ExecutorService pricing =
                Executors.newFixedThreadPool(2, Thread.ofPlatform().name("pricing-", 1).factory());
        private final Executor afterFixing = CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS, pricing);

        CompletableFuture<Figure> figure(String portfolio, String measure) {
            return CompletableFuture.supplyAsync(() -> base(portfolio, measure), afterFixing)
                    .thenApply(value -> value * 1.0125)
                    .thenApplyAsync(value -> new Figure(portfolio, measure, value), pricing);
        }

        private double base(String portfolio, String measure) {
            double sum = 0;
            for (int i = 1; i < 30_000; i++) {
                sum += Math.sqrt(i * (portfolio.hashCode() & 0xff)) / (1 + measure.length());
            }
            return sum;
        }
    }

    static final class Report {
        private final Map<String, Double> totals = new ConcurrentHashMap<>();

        void add(List<Figure> figures) {
            figures.forEach(figure -> totals.put(figure.portfolio() + "/" + figure.measure(), figure.value()));
        }
    }

    static final class PortfolioTask implements Callable<Integer> {
        private final String portfolio;
        private final MarketSide market;
        private final Report report;

        PortfolioTask(String portfolio, MarketSide market, Report report) {
            this.portfolio = portfolio;
            this.market = market;
            this.report = report;
        }

        @Override
        public Integer call() {
            List<CompletableFuture<Figure>> parts = Stream.of("var", "stress", "delta", "vega")
                    .map(measure -> market.figure(portfolio, measure)).toList();
            CompletableFuture<List<Figure>> all = CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                    .thenApply(done -> parts.stream().map(CompletableFuture::join).collect(Collectors.toList()));
            List<Figure> figures = all.join();
            report.add(figures);
            return figures.size();
        }
    }

    static final class Coordinator {
        private final ExecutorService workers =
                Executors.newFixedThreadPool(3, Thread.ofPlatform().name("figures-", 1).factory());
        private final MarketSide market = new MarketSide();
        private final Report report = new Report();

        int round(List<String> portfolios) throws Exception {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (String portfolio : portfolios) {
                tasks.add(new PortfolioTask(portfolio, market, report));
            }
            int figures = 0;
            for (Future<Integer> future : workers.invokeAll(tasks)) {
                figures += future.get();
            }
            return figures;
        }
    }

    public static void main(String[] args) throws Exception {
        Coordinator coordinator = new Coordinator();
        Thread main = Thread.ofPlatform().name("risk-coordinator").start(() -> {
            try {
                long total = 0;
                while (true) {
                    total += coordinator.round(List.of("bonds", "equity", "rates"));
                    Thread.sleep(100 + total % 10);
                }
            } catch (Exception e) {
                System.err.println("coordinator: " + e);
            }
        });
        Thread.sleep(6500);
        System.out.println("READY");
        System.out.flush();
        main.join();
    }
}
