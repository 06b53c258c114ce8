import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class LinenLift {
    static class Bell {
        private final Lock lock = new ReentrantLock();
        private final Condition rung = lock.newCondition();
        private long rings;
        void ring() { lock.lock(); try { rings++; rung.signalAll(); } finally { lock.unlock(); } }
        long listen(long seen) throws InterruptedException {
            lock.lock();
            try { while (rings == seen) rung.await(); return rings; } finally { lock.unlock(); }
        }
    }

    static class Duty {
        private final Runnable[] week = new Runnable[7];
        private final Map<String, Runnable> extra = new HashMap<>();
        Runnable spare;
        Duty day(int d, Runnable r) { week[d] = r; return this; }
        Duty extra(String name, Runnable r) { extra.put(name, r); return this; }
        Duty spare(Runnable r) { spare = r; return this; }
        void perform(int d) {
            Runnable r = week[d % 7];
            (r == null ? spare : r).run();
            extra.values().forEach(Runnable::run);
        }
    }

    static class Wing {
        private final Bell bell = new Bell();
        private final Exchanger<List<String>> trolley = new Exchanger<>();
        private int served;

        class Porter implements Runnable {
            @Override public void run() {
                long seen = 0;
                try {
                    while (true) { seen = bell.listen(seen); synchronized (Wing.this) { served++; } }
                } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
            }
        }
        class Laundry implements Runnable {
            private List<String> sheets = new ArrayList<>();
            @Override public void run() {
                try {
                    while (true) {
                        sheets = trolley.exchange(sheets);
                        sheets.clear();
                    }
                } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
            }
        }
        Runnable bringSheets() {
            return new Runnable() {
                private List<String> load = new ArrayList<>();
                @Override public void run() {
                    load.add("sheet-" + served);
                    try { load = trolley.exchange(load, 2, TimeUnit.SECONDS); }
                    catch (InterruptedException | TimeoutException e) { load.clear(); }
                }
            };
        }
        void ringTwice() { bell.ring(); bell.ring(); }
    }

    static class Manager extends Thread {
        private final Duty duty; private final long pause;
        Manager(Duty duty, long pause) { super("duty-manager"); this.duty = duty; this.pause = pause; }
        @Override public void run() {
            try { for (int d = 0; ; d++) { duty.perform(d); Thread.sleep(pause); } } catch (InterruptedException e) { interrupt(); }
        }
    }

    public static void main(String[] args) throws Exception {
        Wing wing = new Wing();
        for (int i = 1; i <= 3; i++) new Thread(wing.new Porter(), "porter-" + i).start();
        new Thread(wing.new Laundry(), "laundry").start();
        Duty duty = new Duty().day(0, wing.bell::ring).day(3, wing::ringTwice).spare(() -> wing.bell.ring()).extra("sheets", wing.bringSheets());
        new Manager(duty, 12_000).start();
        Thread.sleep(1500);
        System.out.println("READY");
        System.out.flush();
    }
}
