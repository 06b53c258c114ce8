import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.LockSupport;

public class FerrySlots {
    record Departure(String ferry, int offsetSeconds) {}

    static final class Timetable {
        private final List<Departure> departures = new ArrayList<>();
        Timetable(List<String> lines) {
            for (String line : lines) {
                String[] f = line.split(" ");
                departures.add(new Departure(f[0], Integer.parseInt(f[1])));
            }
        }
        Departure at(int round) { return departures.get(round % departures.size()); }
    }

    static final class HarbourClock implements Runnable {
        final Timetable timetable; final Phaser slots; final AtomicInteger sailed;
        HarbourClock(Timetable timetable, Phaser slots, AtomicInteger sailed) { this.timetable = timetable; this.slots = slots; this.sailed = sailed; }
        public void run() {
            for (int round = 0; !Thread.currentThread().isInterrupted(); round++) {
                holdUntil(timetable.at(round));
                slots.arriveAndAwaitAdvance();
                sailed.incrementAndGet();
            }
        }
        void holdUntil(Departure departure) {
            long due = System.currentTimeMillis() + departure.offsetSeconds() * 1000L;
            while (System.currentTimeMillis() < due) LockSupport.parkUntil(due);
        }
    }

    static final class Berth implements Runnable {
        final Phaser slots; final int number; int handled;
        Berth(Phaser slots, int number) { this.slots = slots; this.number = number; }
        public void run() {
            while (!slots.isTerminated()) {
                prepare();
                awaitSlot();
                handled++;
            }
        }
        void prepare() {
            long ropes = 0;
            for (int i = 0; i < 20_000; i++) ropes += i % (number + 1);
            if (ropes < 0) throw new IllegalStateException();
        }
        void awaitSlot() {
            slots.arriveAndAwaitAdvance();
        }
    }

    public static void main(String[] args) throws Exception {
        Phaser slots = new Phaser(5);
        AtomicInteger sailed = new AtomicInteger();
        Timetable timetable = new Timetable(List.of("aurora 1", "borealis 7", "calypso 5", "delfin 8"));
        List<Thread> berths = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            Thread t = new Thread(new Berth(slots, i), "berth-" + i);
            t.start();
            berths.add(t);
        }
        Thread clock = new Thread(new HarbourClock(timetable, slots, sailed), "harbour-clock");
        clock.start();
        ScheduledExecutorService tides = Executors.newScheduledThreadPool(2, r -> new Thread(r, "tide-gauge"));
        tides.scheduleAtFixedRate(() -> Math.sin(sailed.get()), 200, 600, TimeUnit.MILLISECONDS);
        ExecutorService tickets = Executors.newFixedThreadPool(3, r -> new Thread(r, "ticket-office"));
        for (int i = 0; i < 3; i++) tickets.execute(() -> { });
        while (sailed.get() < 1 || !berths.stream().allMatch(t -> t.getState() == Thread.State.WAITING)) Thread.sleep(20);
        System.out.println("READY");
        System.out.flush();
    }
}
