import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** A bank books transfers by branch; the last ones are shown, holds of money are set and lifted. */
public class BranchLedger {
    record Transfer(long id, String branch, byte[] slip) {}

    static final class Holds {
        private final Map<Long, String> set = new HashMap<>();

        synchronized void set(long id, String why) {
            set.put(id, why);
        }

        synchronized void lift(long id) {
            set.remove(id);
        }
    }

    static final class Ledger {
        private final Map<String, List<Transfer>> byBranch = new HashMap<>();
        private final Deque<Transfer> last = new ArrayDeque<>();

        synchronized void book(Transfer t) {
            byBranch.computeIfAbsent(t.branch(), k -> new ArrayList<>()).add(t);
            last.addLast(t);
            if (last.size() > 50) last.removeFirst();
        }

        synchronized int branches() {
            return byBranch.size();
        }
    }

    static final class Clerk implements Runnable {
        private final Ledger ledger;
        private final Holds holds;
        private final AtomicLong ids;

        Clerk(Ledger ledger, Holds holds, AtomicLong ids) {
            this.ledger = ledger;
            this.holds = holds;
            this.ids = ids;
        }

        private Transfer next() {
            long id = ids.incrementAndGet();
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 150; i++) text.append("line ").append(i).append(" of transfer ").append(id).append('\n');
            byte[] all = text.toString().getBytes();
            return new Transfer(id, "branch-" + id % 12, Arrays.copyOf(all, 2500));
        }

        @Override public void run() {
            try {
                while (true) {
                    Transfer t = next();
                    holds.set(t.id(), "under way");
                    ledger.book(t);
                    holds.lift(t.id());
                    Thread.sleep(1);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Ledger ledger = new Ledger();
        Holds holds = new Holds();
        AtomicLong ids = new AtomicLong();
        for (int i = 1; i <= 3; i++) new Thread(new Clerk(ledger, holds, ids), "clerk-" + i).start();
        ScheduledExecutorService board = Executors.newScheduledThreadPool(1, r -> new Thread(r, "board"));
        board.scheduleAtFixedRate(ledger::branches, 100, 100, TimeUnit.MILLISECONDS);
        while (ids.get() < 5000) Thread.sleep(100);
        System.out.println("READY");
        System.out.flush();
        Thread.currentThread().join();
    }
}
