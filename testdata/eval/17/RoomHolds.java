import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class RoomHolds {
    static class Hold implements Callable<Boolean> {
        private final CountDownLatch paid = new CountDownLatch(1);
        private final Inventory inventory; final int room;
        Hold(Inventory inventory, int room) { this.inventory = inventory; this.room = room; }
        @Override public Boolean call() throws Exception {
            inventory.block(room);
            try { awaitPayment(); return true; } finally { inventory.free(room); }
        }
        private void awaitPayment() throws InterruptedException { paid.await(); }
        void pay() { paid.countDown(); }
    }

    static class Inventory {
        private final Set<Integer> blocked = ConcurrentHashMap.newKeySet();
        final AtomicLong freed = new AtomicLong();
        void block(int room) { blocked.add(room); }
        void free(int room) { blocked.remove(room); freed.incrementAndGet(); }
    }

    static class Deadline {
        private final ScheduledExecutorService clock;
        Deadline(ScheduledExecutorService clock) { this.clock = clock; }
        void apply(Future<?> f, long ms) { clock.schedule(() -> f.cancel(true), ms, TimeUnit.MILLISECONDS); }
    }

    static class Funnel {
        private final ExecutorService pool; private final Deadline deadline; private final Inventory inv = new Inventory();
        private final AtomicInteger rooms = new AtomicInteger();
        Funnel(ExecutorService pool, Deadline deadline) { this.pool = pool; this.deadline = deadline; }
        void visitor() {
            Hold h = new Hold(inv, rooms.incrementAndGet() % 300);
            deadline.apply(pool.submit(h), 6_000);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger n = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(8, r -> new Thread(r, "hold-" + n.incrementAndGet()));
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(1, r -> new Thread(r, "deadline"));
        Funnel funnel = new Funnel(pool, new Deadline(clock));
        ScheduledExecutorService street = Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "visitors"));
        street.scheduleAtFixedRate(funnel::visitor, 0, 1_500, TimeUnit.MILLISECONDS);
        while (funnel.inv.freed.get() < 1) Thread.sleep(100);
        System.out.println("READY");
        System.out.flush();
    }
}
