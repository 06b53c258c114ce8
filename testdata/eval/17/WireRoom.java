import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class WireRoom {
    sealed interface Item permits Flash, Feature, Photo {}
    record Flash(String text) implements Item {}
    record Feature(String title, int words) implements Item {}
    record Photo(String file) implements Item {}

    static abstract class Basket {
        protected final List<Item> content = new LinkedList<>();
        protected void drop(Item i) {
            synchronized (content) { content.add(i); content.notifyAll(); }
        }
        Item fish(Class<? extends Item> kind) throws InterruptedException {
            synchronized (content) {
                for (;;) {
                    for (ListIterator<Item> it = content.listIterator(); it.hasNext(); ) {
                        Item i = it.next();
                        if (kind.isInstance(i)) { it.remove(); return i; }
                    }
                    content.wait();
                }
            }
        }
    }

    static class CopyBasket extends Basket {
        @Override protected void drop(Item i) { throw new UnsupportedOperationException("by batch only"); }
        void drain(BlockingQueue<Item> from) {
            List<Item> got = new ArrayList<>();
            from.drainTo(got, 100);
            got.forEach(super::drop);
        }
    }

    static class Agency {
        private final BlockingQueue<Item> wire;
        private int n;
        Agency(BlockingQueue<Item> wire) { this.wire = wire; }
        void send() {
            n++;
            switch (n % 3) {
                case 0 -> Collections.addAll(wire, new Flash("f" + n), new Photo("p" + n));
                case 1 -> IntStream.range(0, 3).mapToObj(k -> new Feature("t" + k, 400 + k)).forEach(wire::add);
                default -> wire.addAll(List.of(new Photo("q" + n), new Flash("g" + n)));
            }
        }
    }

    static class SubEditor implements Runnable {
        private final Basket basket; private final Class<? extends Item> kind; private long words;
        SubEditor(Basket basket, Class<? extends Item> kind) { this.basket = basket; this.kind = kind; }
        @Override public void run() {
            try { while (true) words += weigh(basket.fish(kind)); } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
        }
        private int weigh(Item i) {
            if (i instanceof Feature f) return f.words();
            if (i instanceof Flash f) return f.text().length();
            return 1;
        }
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Item> wire = new LinkedBlockingQueue<>();
        CopyBasket basket = new CopyBasket();
        for (Class<? extends Item> k : List.of(Flash.class, Feature.class, Photo.class))
            new Thread(new SubEditor(basket, k), "sub-" + k.getSimpleName().toLowerCase()).start();
        Agency agency = new Agency(wire);
        ScheduledExecutorService s = Executors.newScheduledThreadPool(2);
        s.scheduleAtFixedRate(agency::send, 100, 7_000, TimeUnit.MILLISECONDS);
        s.scheduleWithFixedDelay(() -> basket.drain(wire), 300, 2_500, TimeUnit.MILLISECONDS);
        Thread.sleep(1500);
        System.out.println("READY");
        System.out.flush();
    }
}
