import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Residents' registry with one leading node and standbys which take over when the leader stops renewing its lease. */
public class StandbyRegistry {

    static final class Lease {
        private String holder;
        private long renewedAt = System.nanoTime();
        private long term;
        private int standbys;

        synchronized boolean renew(String node) {
            if (!node.equals(holder)) {
                return false;
            }
            renewedAt = System.nanoTime();
            return true;
        }

        synchronized long acquire(String node) throws InterruptedException {
            standbys++;
            while (holder != null) {
                wait();
            }
            standbys--;
            holder = node;
            renewedAt = System.nanoTime();
            return ++term;
        }

        synchronized void release(String node) {
            if (node.equals(holder)) {
                holder = null;
                notifyAll();
            }
        }

        synchronized void expire(long maxAgeNanos) {
            if (holder != null && System.nanoTime() - renewedAt > maxAgeNanos) {
                holder = null;
                notifyAll();
            }
        }

        synchronized int standbys() {
            return standbys;
        }
    }

    static final class Node implements Runnable {
        private final String name;
        private final Lease lease;
        private final AtomicLong journal;

        Node(String name, Lease lease, AtomicLong journal) {
            this.name = name;
            this.lease = lease;
            this.journal = journal;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    long term = lease.acquire(name);
                    System.out.println(name + " leads term " + term);
                    try {
                        lead();
                    } finally {
                        lease.release(name);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void lead() throws InterruptedException {
            while (lease.renew(name)) {
                journal.addAndGet(applyChanges());
                Thread.sleep(500);
            }
        }

        private long applyChanges() {
            long sum = 0;
            for (int i = 0; i < 3000; i++) {
                sum += (i * 31L) % 7;
            }
            return sum;
        }
    }

    static final class LeaseWatch implements Runnable {
        private final Lease lease;

        LeaseWatch(Lease lease) {
            this.lease = lease;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    Thread.sleep(1000);
                    lease.expire(15_000_000_000L);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Lease lease = new Lease();
        AtomicLong journal = new AtomicLong();
        List<Thread> nodes = new ArrayList<>();
        for (String n : new String[] {"town-hall", "annex", "depot", "bunker"}) {
            Thread t = new Thread(new Node(n, lease, journal), "registry-" + n);
            nodes.add(t);
            t.start();
        }
        Thread watch = new Thread(new LeaseWatch(lease), "lease-watch");
        watch.setDaemon(true);
        watch.start();
        while (lease.standbys() < nodes.size() - 1 || journal.get() == 0) {
            Thread.sleep(20);
        }
        System.out.println("READY");
        System.out.flush();
        long last = 0;
        while (true) {
            Thread.sleep(10_000);
            long now = journal.get();
            System.out.println("journal grew by " + (now - last));
            last = now;
        }
    }
}
