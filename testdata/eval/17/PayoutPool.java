import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class PayoutPool {
    record DbSession(int no) {
        long query(String sql) { return sql.hashCode() + no; }
    }

    static final class SessionPool {
        private final BlockingQueue<DbSession> idle = new LinkedBlockingQueue<>();
        SessionPool(int size) { for (int i = 0; i < size; i++) idle.add(new DbSession(i)); }
        DbSession borrow() throws InterruptedException { return idle.take(); }
        void giveBack(DbSession s) { idle.add(s); }
        int free() { return idle.size(); }
    }

    static final class Confirmation {
        private final Lock lock = new ReentrantLock();
        private final Condition arrived = lock.newCondition();
        private String receipt;
        String receipt() throws InterruptedException {
            lock.lock();
            try {
                while (receipt == null) arrived.await();
                return receipt;
            } finally {
                lock.unlock();
            }
        }
        void complete(String text) {
            lock.lock();
            try {
                receipt = text;
                arrived.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    static final class SepaChannel {
        private final Map<String, Confirmation> open = new ConcurrentHashMap<>();
        private final BlockingQueue<String> inbound = new LinkedBlockingQueue<>();
        private final ScheduledExecutorService net;
        SepaChannel(ScheduledExecutorService net) { this.net = net; }

        Confirmation send(String reference) {
            Confirmation c = new Confirmation();
            open.put(reference, c);
            String wire = reference.toUpperCase(Locale.ROOT);
            net.schedule(() -> inbound.add(wire), 20, TimeUnit.MILLISECONDS);
            return c;
        }

        void listen() {
            try {
                while (true) {
                    String ref = inbound.take();
                    Confirmation c = open.remove(ref);
                    if (c != null) c.complete("ACK " + ref);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class PayoutService {
        private final SessionPool sessions;
        private final SepaChannel channel;
        final AtomicInteger started = new AtomicInteger();
        final AtomicInteger finished = new AtomicInteger();
        PayoutService(SessionPool sessions, SepaChannel channel) { this.sessions = sessions; this.channel = channel; }

        String pay(int claim) throws InterruptedException {
            DbSession db = sessions.borrow();
            try {
                db.query("update claim set state='PAYING' where id=" + claim);
                started.incrementAndGet();
                String prefix = claim < 40 ? "P" : "p";
                String receipt = channel.send(prefix + claim).receipt();
                db.query("update claim set receipt='" + receipt + "'");
                finished.incrementAndGet();
                return receipt;
            } finally {
                sessions.giveBack(db);
            }
        }
    }

    static final class BalancePage implements Runnable {
        private final SessionPool sessions;
        BalancePage(SessionPool sessions) { this.sessions = sessions; }
        public void run() {
            try {
                while (true) {
                    show();
                    Thread.sleep(10);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        private long show() throws InterruptedException {
            DbSession db = sessions.borrow();
            try {
                return db.query("select balance from account");
            } finally {
                sessions.giveBack(db);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService net = Executors.newScheduledThreadPool(1, r -> new Thread(r, "net-timer"));
        SessionPool sessions = new SessionPool(4);
        SepaChannel channel = new SepaChannel(net);
        new Thread(channel::listen, "sepa-listener").start();
        PayoutService service = new PayoutService(sessions, channel);
        List<Thread> pages = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            Thread t = new Thread(new BalancePage(sessions), "teller-" + i);
            pages.add(t);
            t.start();
        }
        AtomicInteger n = new AtomicInteger();
        ExecutorService payouts = Executors.newFixedThreadPool(4, r -> new Thread(r, "payout-worker-" + n.incrementAndGet()));
        for (int claim = 1; claim <= 60; claim++) {
            int id = claim;
            payouts.submit(() -> service.pay(id));
        }
        while (!(service.started.get() - service.finished.get() == 4 && service.finished.get() == 39 && sessions.free() == 0
                && pages.stream().allMatch(t -> t.getState() == Thread.State.WAITING))) {
            Thread.sleep(100);
        }
        Thread.sleep(500);
        System.out.println("READY");
        System.out.flush();
    }
}
