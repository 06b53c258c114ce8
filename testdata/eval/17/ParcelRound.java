import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A van brings 300 parcels, one every 1.5 s; the office waits until all are out. */
public class ParcelRound {
    private static final int PARCELS = 300;
    private final CountDownLatch left = new CountDownLatch(PARCELS);
    private final List<Integer> van = IntStream.range(0, PARCELS).boxed().collect(Collectors.toList());

    private void drive() {
        van.forEach(parcel -> {
            left.countDown();
            onward();
        });
    }

    private static void onward() {
        try {
            Thread.sleep(1500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void office() {
        try {
            left.await();
            System.out.println("all out: " + van.size());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        ParcelRound round = new ParcelRound();
        new Thread(round::drive, "t-1").start();
        new Thread(round::office, "t-2").start();
        Thread.sleep(500);
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
