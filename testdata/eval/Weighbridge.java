import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A lock made of a flag stays taken, as its owner died of what it had not looked for; two others try for ever. */
public class Weighbridge {
    static class Bridge {
        private final AtomicBoolean taken = new AtomicBoolean();
        private long weighed;

        void occupy() {
            while (!taken.compareAndSet(false, true)) {
                // it is free in a moment
            }
        }

        void leave() {
            taken.set(false);
        }

        int weigh(Map<String, Integer> tons, List<String> load) {
            occupy();
            weighed++;
            int sum = 0;
            for (String part : load)
                sum += tons.get(part);
            leave();
            return sum;
        }
    }

    private static void haul(Bridge bridge, Map<String, Integer> tons, List<String> load) {
        try {
            while (bridge.weigh(tons, load) < 40)
                Thread.sleep(3);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Bridge bridge = new Bridge();
        Map<String, Integer> tons = new HashMap<>();
        tons.put("oats", 12);
        tons.put("rye", 15);
        Thread first = new Thread(() -> haul(bridge, tons, Arrays.asList("oats", "rye")), "t-1");
        Thread second = new Thread(() -> haul(bridge, tons, Arrays.asList("rye")), "t-2");
        Thread third = new Thread(() -> haul(bridge, tons, Arrays.asList("oats", "spelt")), "t-3");
        third.setUncaughtExceptionHandler((t, e) -> System.err.println(t.getName() + " ends: " + e));
        first.start();
        second.start();
        Thread.sleep(500);
        third.start();
        third.join();
        Thread.sleep(1500);
        System.out.println("READY");
        first.join();
    }
}
