import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A thread waits for a future with a monitor in its hands; who completes it wants the monitor before. Another one waits like the first. */
public class Apothecary {
    private final Map<String, Integer> prices = new HashMap<>();
    private final CompletableFuture<Integer> offer = new CompletableFuture<>();

    synchronized int price(String herb) {
        Integer known = prices.get(herb);
        return known != null ? known : inquire();
    }

    private int inquire() {
        return offer.join();
    }

    synchronized void note(String herb, int pence) {
        prices.put(herb, pence);
    }

    class Counter implements Runnable {
        @Override
        public void run() {
            System.out.println(price("sage"));
        }
    }

    class Carrier implements Runnable {
        @Override
        public void run() {
            deliver();
        }

        private void deliver() {
            note("sage", 4);
            offer.complete(4);
        }
    }

    public static void main(String[] args) throws Exception {
        Apothecary apothecary = new Apothecary();
        new Thread(apothecary.new Counter(), "t-1").start();
        Thread.sleep(200);
        new Thread(apothecary.new Counter(), "t-2").start();
        new Thread(apothecary.new Carrier(), "t-3").start();
        Thread.sleep(800);
        System.out.println("READY");
    }
}
