import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.stream.LongStream;

/** Fork-join pools, common and own, idle after a burst; main sleeps. */
public class Arbour {
    static class Count extends RecursiveTask<Long> {
        private final long from;
        private final long to;

        Count(long from, long to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Long compute() {
            if (to - from < 1000) {
                return LongStream.range(from, to).sum();
            }
            long middle = (from + to) >>> 1;
            Count left = new Count(from, middle);
            left.fork();
            return new Count(middle, to).compute() + left.join();
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool own = new ForkJoinPool(4);
        System.out.println(own.invoke(new Count(0, 1_000_000)));
        System.out.println(LongStream.range(0, 1_000_000).parallel().filter(n -> n % 7 == 0).count());
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
