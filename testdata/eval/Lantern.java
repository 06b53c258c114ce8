import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.BlockingQueue;

/** Consumers of four sorts of queues, all empty, some of them polling with a time limit. */
public class Lantern {
    private static void consume(BlockingQueue<String> queue, boolean timed) {
        try {
            int seen = 0;
            while (seen >= 0) {
                String moth = timed ? queue.poll(500, TimeUnit.MILLISECONDS) : queue.take();
                seen += moth == null ? 0 : 1;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        int number = 1;
        for (boolean timed : new boolean[] {false, true}) {
            for (BlockingQueue<String> queue : java.util.Arrays.<BlockingQueue<String>>asList(
                    new LinkedBlockingQueue<>(), new LinkedTransferQueue<>(), new PriorityBlockingQueue<>(),
                    new SynchronousQueue<>())) {
                new Thread(() -> consume(queue, timed), "t-" + number++).start();
            }
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
