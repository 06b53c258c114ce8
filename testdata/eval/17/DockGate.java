import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Goods-in: trucks dock at a gate, a clerk books the pallets of the truck into stock. */
public class DockGate {

    record Pallet(String sku, int pieces) {}

    record Truck(String plate, List<Pallet> load) {}

    static final class Gate {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition docked = lock.newCondition();
        private Truck atGate;

        void dock(Truck truck) {
            lock.lock();
            try {
                atGate = truck;
                docked.signalAll();
            } finally {
                lock.unlock();
            }
        }

        Truck awaitTruck() throws InterruptedException {
            lock.lock();
            try {
                docked.await();
                Truck t = atGate;
                atGate = null;
                return t;
            } finally {
                lock.unlock();
            }
        }

        boolean clerkIsThere() {
            lock.lock();
            try {
                return lock.hasWaiters(docked);
            } finally {
                lock.unlock();
            }
        }
    }

    static final class Stock {
        private final Map<String, Integer> pieces = new ConcurrentHashMap<>();

        void book(Pallet p) { pieces.merge(p.sku(), p.pieces(), Integer::sum); }

        int total() { return pieces.values().stream().mapToInt(Integer::intValue).sum(); }
    }

    static final class Clerk implements Runnable {
        private final Gate gate;
        private final Stock stock;

        Clerk(Gate gate, Stock stock) {
            this.gate = gate;
            this.stock = stock;
        }

        @Override public void run() {
            try {
                readDeliveryNotes();
                while (true) receive();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void readDeliveryNotes() throws InterruptedException {
            for (int page = 0; page < 12; page++) {
                stock.book(new Pallet("note-" + page, 0));
                Thread.sleep(150);
            }
        }

        private void receive() throws InterruptedException {
            Truck truck = gate.awaitTruck();
            for (Pallet p : truck.load()) stock.book(p);
        }
    }

    static final class Yard implements Runnable {
        private final Gate gate;

        Yard(Gate gate) { this.gate = gate; }

        @Override public void run() {
            List<Pallet> load = new ArrayList<>();
            for (int i = 0; i < 30; i++) load.add(new Pallet("sku-" + i, 48));
            gate.dock(new Truck("HH-LK 4711", load));
        }
    }

    static final class Replenishment implements Runnable {
        private final Stock stock;
        private int low;

        Replenishment(Stock stock) { this.stock = stock; }

        @Override public void run() {
            if (stock.total() < 500) low++;
        }
    }

    public static void main(String[] args) throws Exception {
        Gate gate = new Gate();
        Stock stock = new Stock();
        Thread yard = new Thread(new Yard(gate), "yard");
        yard.start();
        new Thread(new Clerk(gate, stock), "dock-clerk").start();
        ScheduledExecutorService jobs = Executors.newScheduledThreadPool(2, t -> new Thread(t, "warehouse-jobs"));
        jobs.scheduleAtFixedRate(new Replenishment(stock), 250, 250, TimeUnit.MILLISECONDS);
        ExecutorService scanners = Executors.newFixedThreadPool(3, t -> new Thread(t, "scanner"));
        for (int i = 0; i < 3; i++) scanners.submit(stock::total);
        yard.join();
        while (!gate.clerkIsThere()) Thread.sleep(50);
        Thread.sleep(500);
        System.out.println("READY");
        System.out.flush();
    }
}
