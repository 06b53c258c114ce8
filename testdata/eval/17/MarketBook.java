import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Prices of a vegetable wholesale market: buyers read the book, growers publish, watchers are told. */
public class MarketBook {

    interface Watcher {
        void priceChanged(String crop, long cents);
    }

    /** The book itself, guarded by a read-write lock. */
    static final class Book {
        private final ReadWriteLock rw = new ReentrantReadWriteLock();
        private final Map<String, Long> cents = new TreeMap<>();

        long total(Basket basket) {
            rw.readLock().lock();
            try {
                long sum = 0;
                for (String crop : basket.crops()) sum += cents.getOrDefault(crop, 0L);
                return sum;
            } finally {
                rw.readLock().unlock();
            }
        }

        void publish(String crop, long price) {
            rw.writeLock().lock();
            try {
                cents.put(crop, price);
            } finally {
                rw.writeLock().unlock();
            }
        }
    }

    /** A buyer's basket; its own methods are synchronized because the web and the agent change it together. */
    static final class Basket implements Watcher {
        private final Book book;
        private final List<String> crops = new ArrayList<>();
        private long limit = 900;

        Basket(Book book, String... first) {
            this.book = book;
            crops.addAll(List.of(first));
        }

        synchronized List<String> crops() {
            return List.copyOf(crops);
        }

        /** The agent bids a little more when the basket is under its limit. */
        synchronized void bid(String crop, CountDownLatch step) throws InterruptedException {
            crops.add(crop);
            if (step != null) {
                step.countDown();
                Thread.sleep(300);
            }
            book.publish(crop, limit / crops.size());
        }

        @Override
        public synchronized void priceChanged(String crop, long price) {
            if (crops.contains(crop) && price > limit) limit = price;
        }
    }

    public static void main(String[] args) throws Exception {
        Book book = new Book();
        String[] all = {"leek", "kale", "chard", "onion", "beet"};
        for (int i = 0; i < all.length; i++) book.publish(all[i], 80 + 7 * i);
        Basket basket = new Basket(book, "leek", "kale");
        CountDownLatch step = new CountDownLatch(1);

        // web: totals of the buyer's page
        Thread web = new Thread(() -> {
            try {
                step.await();
            } catch (InterruptedException e) {
                return;
            }
            for (int i = 0; i < 1_000_000; i++) book.total(basket);
        }, "w-1");
        Thread agent = new Thread(() -> {
            try {
                for (int i = 0; i < 1_000_000; i++) basket.bid(all[i % 5], i == 0 ? step : null);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "w-2");
        // other visitors of the market only read other baskets
        ScheduledExecutorService visitors = Executors.newScheduledThreadPool(2, r -> {
            Thread t = new Thread(r);
            t.setDaemon(true);
            return t;
        });
        Basket other = new Basket(book, "onion", "beet");
        visitors.scheduleWithFixedDelay(() -> other.priceChanged("onion", 95), 0, 50, TimeUnit.MILLISECONDS);
        web.setDaemon(true);
        agent.setDaemon(true);
        web.start();
        agent.start();
        Thread.sleep(2000);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(240_000);
        System.exit(0);
    }
}
