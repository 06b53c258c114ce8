import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * LockedQueue HOW: a client holds the lock of the books and waits for a task in the queue of the executor "orders". All
 * three workers want that lock (all, stages: as CompletableFuture), or one of them sleeps and will take the task
 * (free), or the executor may start further workers (grows), or the client waits for a limited time (timed). The task
 * has no code in common with the client.
 */
final class LockedQueue {
    private static final int WORKERS = 3;

    public static void main(String[] args) throws Exception {
        Books books = new Books();
        Thread client = new Thread(new Client(args[0], books), "client");
        client.start();
        books.full.await();
        Thread.sleep(500);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }

    /** What the lock is for. */
    private static final class Books {
        private final CountDownLatch full = new CountDownLatch(WORKERS);
        private int total;

        int add(int n) {
            full.countDown();
            synchronized (this) {
                return total += n;
            }
        }
    }

    /** A task that wants the lock. */
    private static final class Order implements Callable<Integer>, Supplier<Integer> {
        private final Books books;

        Order(Books books) {
            this.books = books;
        }

        @Override
        public Integer call() {
            return books.add(1);
        }

        @Override
        public Integer get() {
            return books.add(1);
        }
    }

    /** A task that wants no lock. */
    private static final class Nap implements Callable<Integer> {
        private final Books books;

        Nap(Books books) {
            this.books = books;
        }

        @Override
        public Integer call() throws InterruptedException {
            books.full.countDown();
            Thread.sleep(Long.MAX_VALUE);
            return 0;
        }
    }

    /** Who holds the lock and waits for the last task. */
    private static final class Client implements Runnable {
        private final String how;
        private final Books books;
        private int named;

        Client(String how, Books books) {
            this.how = how;
            this.books = books;
        }

        @Override
        public void run() {
            int most = how.equals("grows") ? 2 * WORKERS : WORKERS;
            ThreadPoolExecutor orders = new ThreadPoolExecutor(WORKERS, most, 1, TimeUnit.HOURS,
                how.equals("grows") ? new LinkedBlockingQueue<>(9) : new LinkedBlockingQueue<>(),
                task -> new Thread(task, "orders-" + ++named));
            synchronized (books) {
                try {
                    take(orders);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        private void take(ThreadPoolExecutor orders) throws Exception {
            Future<?> last = null;
            for (int i = 0; i <= WORKERS; i++) {
                if (how.equals("stages")) {
                    last = CompletableFuture.supplyAsync(new Order(books), orders);
                } else if (how.equals("free") && i == 1) {
                    last = orders.submit(new Nap(books));
                } else {
                    last = orders.submit(new Order(books));
                }
            }
            if (how.equals("timed")) {
                last.get(1, TimeUnit.HOURS);
            } else {
                last.get();
            }
        }
    }
}
