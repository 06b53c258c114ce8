import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class DrugChecks {
    static final class RxQuery {
        final String patient; final String[] atcs;
        RxQuery(String patient, String... atcs) { this.patient = patient; this.atcs = atcs; }
    }

    static final class Finding {
        final String pair; final int severity; final byte[] monograph;
        Finding(String pair, int severity, byte[] monograph) { this.pair = pair; this.severity = severity; this.monograph = monograph; }
    }

    static final class InteractionRules {
        private final Random rnd = new Random(3);
        List<Finding> evaluate(RxQuery q) {
            List<Finding> out = new ArrayList<>();
            for (int i = 0; i < q.atcs.length; i++)
                for (int j = i + 1; j < q.atcs.length; j++) {
                    StringBuilder text = new StringBuilder();
                    for (int k = 0; k < 300; k++) text.append(q.atcs[i]).append('/').append(q.atcs[j]).append(' ').append(k);
                    int sev = Math.floorMod(text.toString().hashCode(), 5);
                    if (sev < 4) out.add(new Finding(q.atcs[i] + q.atcs[j], sev, monograph(text)));
                }
            return out;
        }
        private byte[] monograph(CharSequence text) {
            byte[] b = new byte[600 + rnd.nextInt(200)];
            for (int i = 0; i < b.length; i++) b[i] = (byte) text.charAt(i % text.length());
            return b;
        }
    }

    static final class CheckedRx {
        private final Map<RxQuery, List<Finding>> results = new ConcurrentHashMap<>();
        private final InteractionRules rules = new InteractionRules();
        List<Finding> findings(RxQuery q) { return results.computeIfAbsent(q, rules::evaluate); }
        int size() { return results.size(); }
    }

    static final class PrescriptionCheck implements Runnable {
        private final CheckedRx checked; final AtomicLong alerts = new AtomicLong();
        private final Random rnd = new Random(7);
        private static final String[] DRUGS = {"B01AA03", "N02BA01", "C07AB02", "A10BA02", "J01FA10", "C09AA05", "N06AB04", "C03CA01"};
        PrescriptionCheck(CheckedRx checked) { this.checked = checked; }
        public void run() {
            long start = System.nanoTime(), n = 0;
            while (true) {
                check(next());
                n++;
                long ahead = n * 1_700_000L - (System.nanoTime() - start);
                if (ahead > 20_000_000L) pause(ahead / 1_000_000);
                else if (ahead < -500_000_000L) start = System.nanoTime() - n * 1_700_000L;
            }
        }
        private void check(RxQuery q) {
            for (Finding f : checked.findings(q)) if (f.severity == 0) alerts.incrementAndGet();
        }
        private RxQuery next() {
            int o = rnd.nextInt(DRUGS.length);
            String[] d = new String[4];
            for (int i = 0; i < 4; i++) d[i] = DRUGS[(o + i) % DRUGS.length];
            return new RxQuery("P" + rnd.nextInt(400), d);
        }
        private void pause(long ms) {
            try { Thread.sleep(ms); } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
        }
    }

    public static void main(String[] a) throws Exception {
        CheckedRx checked = new CheckedRx();
        PrescriptionCheck pc = new PrescriptionCheck(checked);
        new Thread(pc, "rx-check").start();
        ScheduledExecutorService stats = Executors.newScheduledThreadPool(1, r -> new Thread(r, "stats"));
        stats.scheduleAtFixedRate(() -> System.err.println("alerts " + pc.alerts.get() + " n " + checked.size()), 2, 5, TimeUnit.SECONDS);
        ExecutorService http = Executors.newFixedThreadPool(4, r -> new Thread(r, "http"));
        for (int i = 0; i < 4; i++) http.execute(() -> {});
        while (checked.size() < 2000) Thread.sleep(100);
        System.out.println("READY"); System.out.flush();
        Thread.sleep(900_000);
        System.exit(0);
    }
}
