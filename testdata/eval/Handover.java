import java.util.concurrent.SynchronousQueue;

/** Producers hand over through a SynchronousQueue whose consumer ended with an exception. */
public class Handover {
    private final SynchronousQueue<String> counter = new SynchronousQueue<>();

    void consume() {
        try {
            for (int i = 0; i < 10; i++) {
                weigh(counter.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int weigh(String parcel) {
        return Integer.parseInt(parcel);
    }

    void produce(String parcel) {
        try {
            counter.put(parcel);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Handover handover = new Handover();
        Thread consumer = new Thread(handover::consume, "t-1");
        consumer.setUncaughtExceptionHandler((t, e) -> System.err.println(e.getMessage()));
        consumer.start();
        handover.produce("heavy");
        consumer.join();
        for (int i = 2; i <= 4; i++) {
            String parcel = "" + i;
            new Thread(() -> handover.produce(parcel), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
