import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A static initialiser collects a parallel stream whose lambda wants the class; two more want it too. */
public class Herbal {
    private static final CountDownLatch BEGUN = new CountDownLatch(1);

    static class Plants {
        static final Map<Integer, String> BY_PAGE = read();

        private static Map<Integer, String> read() {
            BEGUN.countDown();
            return IntStream.rangeClosed(1, 200).boxed().parallel().collect(Collectors.toConcurrentMap(n -> n, Plants::draw));
        }

        private static String draw(int n) {
            try {
                Thread.sleep(3);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "plant " + n * n;
        }
    }

    static class Reader implements Runnable {
        private final int page;

        Reader(int page) {
            this.page = page;
        }

        @Override
        public void run() {
            System.err.println(Plants.BY_PAGE.get(page));
        }
    }

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(new Reader(1), "t-1");
        first.start();
        BEGUN.await();
        new Thread(new Reader(2), "t-2").start();
        new Thread(new Reader(3), "t-3").start();
        while (first.getState() != Thread.State.WAITING)
            Thread.sleep(50);
        Thread.sleep(1000);
        System.out.println("READY");
        first.join();
    }
}
