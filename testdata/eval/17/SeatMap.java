import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.StampedLock;

/** Seat booking of a theatre: box office threads sell, displays show the plan. */
public class SeatMap {

    static class Hall {
        private final StampedLock lock = new StampedLock();
        private final Map<String, String> seats = new TreeMap<>();
        private int free;

        Hall(int rows, int perRow) {
            for (int r = 0; r < rows; r++) {
                for (int s = 1; s <= perRow; s++) {
                    seats.put((char) ('A' + r) + "" + s, "");
                }
            }
            free = rows * perRow;
        }

        boolean book(String seat, String customer) {
            long st = lock.readLock();
            try {
                String holder = seats.get(seat);
                if (holder == null) {
                    return false;
                }
                if (!holder.isEmpty()) {
                    return reassign(seat, holder, customer);
                }
            } finally {
                lock.unlockRead(st);
            }
            long w = lock.writeLock();
            try {
                seats.put(seat, customer);
                free--;
                return true;
            } finally {
                lock.unlockWrite(w);
            }
        }

        /** A holder who let the hold lapse loses the seat to the next customer. */
        private boolean reassign(String seat, String holder, String customer) {
            if (!holder.startsWith("hold:")) {
                return false;
            }
            long w = lock.writeLock();
            try {
                seats.put(seat, customer);
                return true;
            } finally {
                lock.unlockWrite(w);
            }
        }

        int freeSeats() {
            long st = lock.tryOptimisticRead();
            int n = free;
            if (!lock.validate(st)) {
                st = lock.readLock();
                try {
                    n = free;
                } finally {
                    lock.unlockRead(st);
                }
            }
            return n;
        }

        String plan(char row) {
            long st = lock.readLock();
            try {
                StringBuilder b = new StringBuilder();
                seats.forEach((k, v) -> {
                    if (k.charAt(0) == row) {
                        b.append(v.isEmpty() ? '.' : 'x');
                    }
                });
                return b.toString();
            } finally {
                lock.unlockRead(st);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Hall hall = new Hall(20, 30);
        AtomicInteger sold = new AtomicInteger();
        ExecutorService offices = Executors.newFixedThreadPool(3);
        for (int o = 0; o < 3; o++) {
            int office = o;
            offices.execute(() -> {
                Random rnd = new Random(office);
                for (int n = 0; n < 100_000; n++) {
                    String seat = (char) ('A' + rnd.nextInt(20)) + "" + (1 + rnd.nextInt(30));
                    String who = rnd.nextInt(12) == 0 ? "hold:" + n : "c" + n;
                    if (hall.book(seat, who)) {
                        sold.incrementAndGet();
                    }
                    nap(15);
                }
            });
        }
        for (int d = 0; d < 2; d++) {
            char row = (char) ('A' + d);
            Thread t = new Thread(() -> {
                while (true) {
                    hall.plan(row);
                    nap(200);
                }
            }, "display-" + (d + 1));
            t.setDaemon(true);
            t.start();
        }
        nap(8000);
        System.out.println("READY");
        System.out.flush();
        nap(200_000);
        System.out.println("sold " + sold.get());
        System.exit(0);
    }

    static void nap(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new CancellationException();
        }
    }
}
