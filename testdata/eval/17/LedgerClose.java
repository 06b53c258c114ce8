import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Month end: every branch's ledger is closed in steps, no branch may begin a step before all have ended the one before. */
public class LedgerClose {
    record Posting(String account, long cents) {}

    static class Branch {
        final String name;
        final List<Posting> postings;
        final Map<String, Long> balances = new TreeMap<>();
        long difference;
        Branch(String name, List<Posting> postings) { this.name = name; this.postings = postings; }
    }

    interface Step { void apply(Branch b); }

    static class Steps {
        static void sum(Branch b) { for (Posting p : b.postings) b.balances.merge(p.account(), p.cents(), Long::sum); }
        static void accrue(Branch b) { b.balances.replaceAll((a, c) -> a.startsWith("4") ? c - c / 12 : c); }
        static void clear(Branch b) {
            long open = b.balances.get("1590") + b.balances.get("3700");      // clearing accounts
            b.difference = open;
        }
        static void carry(Branch b) { b.balances.entrySet().removeIf(e -> e.getKey().startsWith("4")); }
    }

    static class Close {
        private final Phaser steps = new Phaser(1);
        private final List<Step> plan = List.of(Steps::sum, Steps::accrue, Steps::clear, Steps::carry);
        private final ExecutorService staff = Executors.newCachedThreadPool();
        private final List<Future<Branch>> closing = new ArrayList<>();

        void open(List<Branch> branches) {
            steps.bulkRegister(branches.size());
            for (Branch b : branches) closing.add(staff.submit(() -> close(b)));
        }

        Branch close(Branch b) {
            for (Step s : plan) {
                s.apply(b);
                steps.arriveAndAwaitAdvance();
            }
            steps.arriveAndDeregister();
            return b;
        }

        List<Branch> finish() throws Exception {
            for (int i = 0; i < plan.size(); i++) {
                int step = steps.arriveAndAwaitAdvance();
                System.out.println("step " + step + " ended, " + steps.getRegisteredParties() + " parties");
            }
            steps.arriveAndDeregister();
            List<Branch> out = new ArrayList<>();
            for (Future<Branch> f : closing) out.add(f.get());
            staff.shutdown();
            return out;
        }
    }

    static List<Branch> month(String[] names, int emptyAt, long seed) {
        Random rnd = new Random(seed);
        List<Branch> out = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            List<Posting> p = IntStream.range(0, 4000)
                .mapToObj(n -> new Posting("4" + rnd.nextInt(900), rnd.nextInt(90_000) - 20_000)).collect(Collectors.toList());
            p.add(new Posting("1590", 70_000));
            if (i != emptyAt) p.add(new Posting("3700", -70_000));
            out.add(new Branch(names[i], p));
        }
        return out;
    }

    public static void main(String[] args) throws Exception {
        String[] names = {"Kiel", "Erfurt", "Trier", "Passau", "Emden", "Fulda"};
        Timer clock = new Timer(true);
        clock.schedule(new TimerTask() { public void run() { Runtime.getRuntime().halt(0); } }, 225_000);
        clock.schedule(new TimerTask() { public void run() { System.out.println("READY"); System.out.flush(); } }, 4_000);

        Close march = new Close();
        march.open(month(names, -1, 1));
        System.out.println("march: " + march.finish().stream().mapToLong(b -> b.balances.size()).sum());

        Close april = new Close();
        april.open(month(names, 3, 2));            // Passau was founded in April and has no 3700 yet
        System.out.println("april: " + april.finish().stream().mapToLong(b -> b.balances.size()).sum());
    }
}
