import java.util.HashMap;
import java.util.Map;

/**
 * Spinning: threads named known-N run Java code without a pause, in f1 to fD, D changing all the time: loops, copies of
 * arrays, virtual calls, exceptions. Each fN is on a line of its own. The argument is how many threads. Another one,
 * named counting, counts.
 */
public final class Spinning {
    static volatile int sink;
    static final int[] FROM = new int[500];

    interface Step {
        int go(int x);
    }

    static final Step[] STEPS = {x -> x + 1, x -> x * 31, x -> copy(x), x -> caught(x), x -> mapped(x)};

    static int copy(int x) {
        int[] to = new int[500];
        System.arraycopy(FROM, 0, to, 0, 400 + (x & 63));
        return to[x & 255];
    }

    static int caught(int x) {
        try {
            if ((x & 15) == 3) {
                throw new IllegalStateException("an odd number");
            }
            return x + 3;
        } catch (IllegalStateException e) {
            return x;
        }
    }

    static int mapped(int x) {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            map.merge(x + i & 7, i, Integer::sum);
        }
        return map.size();
    }

    static int f1(int d, int x) { for (int i = 0; i < 9; i++) { x = x * 31 + i; } return d == 1 ? last(x) : f2(d, x) + x; }
    static int f2(int d, int x) { for (int i = 0; i < 9; i++) { x = x * 31 + i; } return d == 2 ? last(x) : f3(d, x) + x; }
    static int f3(int d, int x) { for (int i = 0; i < 9; i++) { x = x * 31 + i; } return d == 3 ? last(x) : f4(d, x) + x; }
    static int f4(int d, int x) { for (int i = 0; i < 9; i++) { x = x * 31 + i; } return d == 4 ? last(x) : f5(d, x) + x; }
    static int f5(int d, int x) { for (int i = 0; i < 9; i++) { x = x * 31 + i; } return d == 5 ? last(x) : f6(d, x) + x; }
    static int f6(int d, int x) { for (int i = 0; i < 9; i++) { x = x * 31 + i; } return d == 6 ? last(x) : f7(d, x) + x; }
    static int f7(int d, int x) { for (int i = 0; i < 9; i++) { x = x * 31 + i; } return d == 7 ? last(x) : f8(d, x) + x; }
    static int f8(int d, int x) { for (int i = 0; i < 9; i++) { x = x * 31 + i; } return d == 8 ? last(x) : f9(d, x) + x; }
    static int f9(int d, int x) { for (int i = 0; i < 9; i++) { x = x * 31 + i; } return d == 9 ? last(x) : 0; }

    static int last(int x) {
        for (Step s : STEPS) {
            x += s.go(x);
        }
        return x;
    }

    /** Never leaves Java code but for safepoints. */
    static void count() {
        for (int x = 1; ; x++) {
            for (int i = 0; i < 100_000; i++) {
                x = x * 31 + i;
            }
            sink = x;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread counting = new Thread(Spinning::count, "counting");
        counting.setDaemon(true);
        counting.start();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            Thread thread = new Thread(() -> {
                for (int d = 1, x = 0; ; d = d % 9 + 1) {
                    x = f1(d, x);
                    sink = x;
                }
            }, "known-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        Thread.sleep(1000);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
