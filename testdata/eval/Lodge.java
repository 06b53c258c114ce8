import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;

/** Two threads of its own wait for orders, main for the end: nobody calls. */
public class Lodge {
    private final Deque<Runnable> orders = new ArrayDeque<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    private void serve() {
        try {
            while (closing.getCount() > 0) {
                next().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Runnable next() throws InterruptedException {
        while (orders.isEmpty()) {
            wait();
        }
        return orders.poll();
    }

    private void stay() throws InterruptedException {
        closing.await();
    }

    public static void main(String[] args) throws Exception {
        Lodge lodge = new Lodge();
        Runtime.getRuntime().addShutdownHook(new Thread(lodge.closing::countDown));
        new Thread(lodge::serve, "t-1").start();
        new Thread(lodge::serve, "t-2").start();
        Thread.sleep(200);
        System.out.println("READY");
        lodge.stay();
    }
}
