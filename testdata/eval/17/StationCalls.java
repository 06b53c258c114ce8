import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class StationCalls {
    static class Roster {
        private final List<Thread> onCall = new CopyOnWriteArrayList<>();
        void enlist(Thread t) { onCall.add(t); }
        void wake(String prefix) { onCall.stream().filter(t -> t.getName().startsWith(prefix)).forEach(Thread::interrupt); }
    }

    static abstract class Station extends Thread {
        protected final AtomicInteger jobs = new AtomicInteger();
        Station(String name, Roster roster) {
            super(name);
            roster.enlist(this);
        }
        @Override public final void run() {
            while (true) {
                try { rest(); } catch (InterruptedException call) { work(); }
            }
        }
        protected abstract void rest() throws InterruptedException;
        protected void work() { jobs.incrementAndGet(); }
    }

    static class PlateMaker extends Station {
        private final Object chair = new Object();
        private final int[] plate = new int[4096];
        PlateMaker(int n, Roster r) { super("plate-" + n, r); }
        @Override protected void rest() throws InterruptedException { synchronized (chair) { chair.wait(); } }
        @Override protected void work() {
            super.work();
            for (int i = 0; i < plate.length; i++) plate[i] = plate[i] * 31 + jobs.get();
        }
    }

    static class Folder extends Station {
        private final CountDownLatch never = new CountDownLatch(1);
        Folder(int n, Roster r) { super("folder-" + n, r); }
        @Override protected void rest() throws InterruptedException { never.await(); }
    }

    static class Binder extends Station {
        private final Semaphore shelf = new Semaphore(0);
        Binder(int n, Roster r) { super("binder-" + n, r); }
        @Override protected void rest() throws InterruptedException { shelf.acquire(); }
    }

    static class Calls {
        private final Runnable[] slots;
        private int i;
        Calls(Runnable... slots) { this.slots = slots; }
        TimerTask task() {
            return new TimerTask() {
                @Override public void run() { slots[i++ % slots.length].run(); }
            };
        }
    }

    public static void main(String[] args) throws Exception {
        Roster roster = new Roster();
        new PlateMaker(1, roster).start();
        new PlateMaker(2, roster).start();
        new Folder(1, roster).start();
        new Binder(1, roster).start();
        Timer foreman = new Timer("foreman");
        foreman.schedule(new Calls(() -> roster.wake("plate-"), () -> roster.wake("folder-"), () -> roster.wake("binder-")).task(), 100, 8_000);
        foreman.schedule(new Calls(() -> roster.wake("")).task(), 700, 60_000);
        Thread.sleep(1800);
        System.out.println("READY");
        System.out.flush();
    }
}
