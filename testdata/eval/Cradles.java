import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/** A queue keeps two spare frames for five tasks: two have one each and rest, three find none; callers wait for the tasks. */
public class Cradles {
    static class Frame {
        synchronized int weave(int n) throws InterruptedException {
            Thread.sleep(30_000_000L + n);
            return n;
        }
    }

    private final BlockingQueue<Frame> spare = new LinkedBlockingQueue<>();

    private int order(int n) throws InterruptedException {
        return 2 * cloth(n);
    }

    private int cloth(int n) throws InterruptedException {
        Frame frame = spare.take();
        try {
            return frame.weave(n);
        } finally {
            spare.add(frame);
        }
    }

    public static void main(String[] args) throws Exception {
        Cradles cradles = new Cradles();
        cradles.spare.add(new Frame());
        cradles.spare.add(new Frame());
        ExecutorService hands = Executors.newFixedThreadPool(5);
        List<Future<Integer>> orders = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int n = i;
            orders.add(hands.submit(() -> cradles.order(n)));
            Thread.sleep(30);
        }
        for (int i = 0; i < 3; i++) {
            Future<Integer> order = orders.get(i);
            new Thread(() -> {
                try {
                    System.err.println(order.get());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }, "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
