import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Theatre box office: commands come from a queue, each is written through a small home-made set of sessions. */
public class BoxOffice {

    static final class Session {
        final int no;
        private final Map<String, Integer> sold = new HashMap<>();
        Session(int no) { this.no = no; }
        int sell(String show, int seats) { return sold.merge(show, seats, Integer::sum); }
    }

    static class ConflictException extends Exception {
        ConflictException(String m) { super(m); }
    }

    static final class Sessions {
        private final LinkedList<Session> free = new LinkedList<>();
        Sessions(int n) { for (int i = 0; i < n; i++) free.add(new Session(i)); }

        synchronized Session borrow() throws InterruptedException {
            while (free.isEmpty()) {
                wait(3000);
            }
            return free.removeFirst();
        }

        synchronized void giveBack(Session s) {
            free.addLast(s);
            notifyAll();
        }

        synchronized int available() { return free.size(); }
    }

    record Command(String show, int seats, boolean contested) { }

    static final class Seller {
        final Sessions sessions;
        final AtomicLong done = new AtomicLong();
        Seller(Sessions s) { sessions = s; }

        void sellWithRetry(Command c) {
            for (int attempt = 0; attempt < 3; attempt++) {
                try {
                    sellOnce(c, attempt);
                    done.incrementAndGet();
                    return;
                } catch (ConflictException e) {
                    // somebody was faster, take the next attempt
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }

        private void sellOnce(Command c, int attempt) throws ConflictException, InterruptedException {
            Session s = sessions.borrow();
            Thread.sleep(3 + c.seats());
            int total = s.sell(c.show(), c.seats());
            if (c.contested() && attempt == 0 && total > 10) {
                throw new ConflictException(c.show() + " changed meanwhile");
            }
            sessions.giveBack(s);
        }
    }

    public static void main(String[] args) throws Exception {
        Sessions sessions = new Sessions(6);
        Seller seller = new Seller(sessions);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        Thread web = new Thread(() -> {
            String[] shows = {"Hamlet", "Faust", "Tosca", "Medea"};
            Random rnd = new Random(7);
            try {
                for (int i = 0; ; i++) {
                    Command c = new Command(shows[rnd.nextInt(4)], 1 + rnd.nextInt(6), i % 5 == 0);
                    pool.execute(() -> seller.sellWithRetry(c));
                    Thread.sleep(25);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "web-1");
        web.setDaemon(true);
        web.start();

        long last = -1;
        int same = 0;
        while (same < 3) {
            Thread.sleep(500);
            long now = seller.done.get();
            same = now == last && sessions.available() == 0 ? same + 1 : 0;
            last = now;
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(270_000);
        System.out.println("sold " + seller.done);
        System.exit(0);
    }
}
