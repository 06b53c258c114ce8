import java.util.concurrent.CountDownLatch;

/** Three faults side by side: two traders in a cycle, a third behind; a busy thread; a sleeper that two wait for. */
public class Market {
    static class Stall {
        private long takings;

        synchronized void pay(long coins) {
            takings += coins;
        }

        synchronized void settle(Stall other, CountDownLatch both) {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            other.pay(takings);
        }

        synchronized void close() {
            try {
                Thread.sleep(36_000_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static long cry(long fish) {
        long price = fish;
        while (price != 0) {
            price = haggle(price);
        }
        return price;
    }

    private static long haggle(long price) {
        long mixed = price;
        for (int i = 0; i < 4000; i++) {
            mixed = mixed * 2862933555777941757L + 3037000493L;
        }
        return mixed | 1;
    }

    public static void main(String[] args) throws Exception {
        Stall fish = new Stall();
        Stall bread = new Stall();
        Stall cheese = new Stall();
        CountDownLatch both = new CountDownLatch(2);
        new Thread(() -> fish.settle(bread, both), "t-1").start();
        new Thread(() -> bread.settle(fish, both), "t-2").start();
        both.await();
        Thread.sleep(100);
        new Thread(() -> fish.pay(1), "t-3").start();
        new Thread(() -> System.out.println(cry(7)), "t-4").start();
        new Thread(cheese::close, "t-5").start();
        Thread.sleep(200);
        new Thread(() -> cheese.pay(2), "t-6").start();
        new Thread(() -> cheese.pay(3), "t-7").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
