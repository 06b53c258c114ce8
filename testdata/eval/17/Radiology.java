import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Radiology {
    enum State { OPEN, REPORTED, REFUSED }

    static final class Study {
        final String accession; State state = State.OPEN; String text;
        Study(String accession) { this.accession = accession; }
    }

    static final class ReadingRoom {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition decided = lock.newCondition();
        private final Map<String, Study> studies = new HashMap<>();
        private final BlockingQueue<Study> pending = new LinkedBlockingQueue<>();

        Study submit(String accession) {
            Study s = new Study(accession);
            lock.lock();
            try { studies.put(accession, s); } finally { lock.unlock(); }
            pending.add(s);
            return s;
        }

        State awaitDecision(Study s) throws InterruptedException {
            lock.lock();
            try {
                while (s.state == State.OPEN && studies.containsKey(s.accession)) decided.await();
                return s.state;
            } finally { lock.unlock(); }
        }

        void decide(Study s, String text) {
            lock.lock();
            try {
                if (!complete(text)) {
                    s.state = State.REFUSED;
                    studies.remove(s.accession);
                    return;
                }
                s.text = text;
                s.state = State.REPORTED;
                studies.remove(s.accession);
                decided.signalAll();
            } finally { lock.unlock(); }
        }

        private boolean complete(String text) { return text != null && text.length() > 12; }
        Study nextPending() throws InterruptedException { return pending.take(); }
        int watching() { lock.lock(); try { return lock.getWaitQueueLength(decided); } finally { lock.unlock(); } }
        int backlog() { return pending.size(); }
    }

    static final class Radiologist implements Runnable {
        private final ReadingRoom room;
        Radiologist(ReadingRoom room) { this.room = room; }
        public void run() {
            try { for (;;) { Study s = room.nextPending(); Thread.sleep(15); room.decide(s, dictate(s)); } }
            catch (InterruptedException e) { Thread.currentThread().interrupt(); }
        }
        private String dictate(Study s) {
            int n = Integer.parseInt(s.accession.substring(s.accession.lastIndexOf('-') + 1));
            return n < 20 ? "No acute finding in " + s.accession : "";
        }
    }

    static final class OrderingPhysician implements Runnable {
        private final ReadingRoom room; private final String who; final List<String> results = new ArrayList<>();
        OrderingPhysician(ReadingRoom room, String who) { this.room = room; this.who = who; }
        public void run() {
            try { for (int i = 0; ; i++) order(who + "-" + i); } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
        }
        private void order(String accession) throws InterruptedException {
            Study s = room.submit(accession);
            results.add(accession + " " + room.awaitDecision(s));
        }
    }

    public static void main(String[] a) throws Exception {
        ReadingRoom room = new ReadingRoom();
        for (int i = 1; i <= 2; i++) new Thread(new Radiologist(room), "radiologist-" + i).start();
        ScheduledExecutorService mon = Executors.newScheduledThreadPool(1, r -> new Thread(r, "metrics"));
        mon.scheduleAtFixedRate(() -> System.err.println("backlog " + room.backlog()), 1, 2, TimeUnit.SECONDS);
        String[] names = {"meier", "okoye", "santos", "lind"};
        for (String n : names) new Thread(new OrderingPhysician(room, n), "order-" + n).start();
        int same = 0;
        while (same < 5) {
            Thread.sleep(250);
            same = room.watching() == names.length && room.backlog() == 0 ? same + 1 : 0;
        }
        System.out.println("READY"); System.out.flush();
        Thread.sleep(900_000);
        System.exit(0);
    }
}
