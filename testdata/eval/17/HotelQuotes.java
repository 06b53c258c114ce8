import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Package prices of a small travel agency: room, transfer and taxes are looked up by the same crew. */
public class HotelQuotes {

    static final class Job<T> {
        private final Supplier<T> what;
        private T value;
        private RuntimeException failure;
        private boolean done;

        Job(Supplier<T> what) {
            this.what = what;
        }

        void perform() {
            T v = null;
            RuntimeException f = null;
            try {
                v = what.get();
            } catch (RuntimeException e) {
                f = e;
            }
            synchronized (this) {
                value = v;
                failure = f;
                done = true;
                notifyAll();
            }
        }

        synchronized T result() {
            while (!done) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            if (failure != null) {
                throw failure;
            }
            return value;
        }
    }

    /** Small crew of workers over one list of jobs, older than java.util.concurrent. */
    static final class Crew {
        private final LinkedList<Job<?>> todo = new LinkedList<>();

        Crew(int size) {
            for (int i = 1; i <= size; i++) {
                Thread t = new Thread(this::work, "w-" + i);
                t.setDaemon(true);
                t.start();
            }
        }

        <T> Job<T> give(Supplier<T> what) {
            Job<T> job = new Job<>(what);
            synchronized (todo) {
                todo.addLast(job);
                todo.notify();
            }
            return job;
        }

        private Job<?> next() throws InterruptedException {
            synchronized (todo) {
                while (todo.isEmpty()) {
                    todo.wait();
                }
                return todo.removeFirst();
            }
        }

        private void work() {
            try {
                while (true) {
                    next().perform();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Agency {
        private final Crew crew = new Crew(4);
        private final Map<String, Integer> rooms = Map.of("Lisbon", 9100, "Bergen", 14200, "Graz", 8800, "Turin", 9900);

        Job<Integer> quote(String town, int nights) {
            return crew.give(() -> {
                Job<Integer> transfer = crew.give(() -> slow(town.length() * 900));
                int room = slow(rooms.get(town)) * nights;
                return room + transfer.result();
            });
        }

        private static int slow(int v) {
            try {
                Thread.sleep(60);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return v;
        }
    }

    public static void main(String[] args) throws Exception {
        Agency agency = new Agency();
        System.out.println("Graz " + agency.quote("Graz", 3).result());
        System.out.println("Turin " + agency.quote("Turin", 2).result());

        // Monday morning: the newsletter is out
        List<String> towns = List.of("Lisbon", "Bergen", "Graz", "Turin", "Lisbon", "Graz");
        for (String t : towns) {
            agency.quote(t, 7);
        }
        Thread.sleep(2500);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(240_000);
    }
}
