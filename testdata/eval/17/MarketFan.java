import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.Function;

/** Market data fan-out of the broker, built on the Flow API. */
public class MarketFan {

    record Tick(String symbol, double bid, double ask, long seq) {}
    record Bar(String symbol, double mid) {}

    static final class BarBuilder extends SubmissionPublisher<Bar> implements Flow.Processor<Tick, Bar> {
        private final Function<Tick, Bar> fn;
        private Flow.Subscription upstream;
        final AtomicLong handled = new AtomicLong();

        BarBuilder(Executor ex, Function<Tick, Bar> fn) {
            super(ex, 32);
            this.fn = fn;
        }

        @Override public void onSubscribe(Flow.Subscription s) {
            upstream = s;
            s.request(1);
        }

        @Override public void onNext(Tick t) {
            if (t.bid() > t.ask()) {
                return;
            }
            handled.incrementAndGet();
            submit(fn.apply(t));
            upstream.request(1);
        }

        @Override public void onError(Throwable e) {
            closeExceptionally(e);
        }

        @Override public void onComplete() {
            close();
        }
    }

    static final class ChartStore implements Flow.Subscriber<Bar> {
        private final Map<String, Deque<Double>> bars = new HashMap<>();
        private Flow.Subscription up;

        @Override public void onSubscribe(Flow.Subscription s) {
            up = s;
            s.request(16);
        }

        @Override public void onNext(Bar b) {
            Deque<Double> d = bars.computeIfAbsent(b.symbol(), k -> new ArrayDeque<>());
            d.addLast(b.mid());
            if (d.size() > 100) d.removeFirst();
            up.request(1);
        }

        @Override public void onError(Throwable e) {
            e.printStackTrace();
        }

        @Override public void onComplete() {}
    }

    static final class Feed implements Runnable {
        private final SubmissionPublisher<Tick> out;
        private final String venue;
        private final Random rnd;

        Feed(SubmissionPublisher<Tick> out, String venue) {
            this.out = out;
            this.venue = venue;
            this.rnd = new Random(venue.hashCode());
        }

        @Override public void run() {
            for (long seq = 1; !Thread.currentThread().isInterrupted(); seq++) {
                double mid = 50 + rnd.nextGaussian();
                double half = seq % 400 == 0 ? -0.01 : 0.02;
                emit(new Tick(venue + seq % 20, mid - half, mid + half, seq));
                if (seq % 10 == 0) nap();
            }
        }

        private void emit(Tick t) {
            out.submit(t);
        }

        private void nap() {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger n = new AtomicInteger();
        ExecutorService fan = Executors.newFixedThreadPool(3, r -> {
            Thread t = new Thread(r, "md-fan-" + n.incrementAndGet());
            t.setDaemon(true);
            return t;
        });
        SubmissionPublisher<Tick> ticks = new SubmissionPublisher<>(fan, 128);
        BarBuilder bars = new BarBuilder(fan, t -> new Bar(t.symbol(), (t.bid() + t.ask()) / 2));
        ticks.subscribe(bars);
        bars.subscribe(new ChartStore());
        ScheduledExecutorService meter = Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "md-meter"));
        AtomicLong rate = new AtomicLong();
        meter.scheduleAtFixedRate(() -> rate.set(bars.handled.get()), 100, 250, TimeUnit.MILLISECONDS);

        List<Thread> feeds = new ArrayList<>();
        for (String v : List.of("xetra", "tradegate", "gettex")) {
            Thread t = new Thread(new Feed(ticks, v), "feed-" + v);
            feeds.add(t);
            t.start();
        }
        int calm = 0;
        while (calm < 15) {
            Thread.sleep(50);
            boolean q = feeds.stream().allMatch(t -> t.getState() == Thread.State.WAITING);
            calm = q ? calm + 1 : 0;
        }
        System.out.println("READY");
        System.out.flush();
        for (Thread t : feeds) t.join();
    }
}
