import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Churn: threads named known-N stand in f1 to fD, D changing all the time, while others allocate, start
 * threads, load and unload classes, and make compiled code invalid. Each fN is on a line of its own.
 */
public final class Churn {
    static volatile Object garbage;
    static final Object MONITOR = new Object();

    /** What the innermost fN calls; classes that override it come and go. */
    public static class Step {
        public int pause() {
            switch (ThreadLocalRandom.current().nextInt(5)) {
                case 4:
                    spin(ThreadLocalRandom.current().nextInt(2_000_000));
                    break;
                case 0:
                    Thread.yield();
                    break;
                case 1:
                    synchronized (MONITOR) {
                        LockSupport.parkNanos(20_000);
                    }
                    break;
                default:
                    LockSupport.parkNanos(200_000);
            }
            return 1;
        }
    }

    public static final class Other extends Step {
        @Override
        public int pause() {
            garbage = new byte[100];
            return super.pause();
        }
    }

    static void spin(int turns) {
        int x = turns;
        for (int i = 0; i < turns; i++) {
            x = x * 31 + i;
            garbage = (x & 1023) == 0 ? new byte[10] : null;
        }
    }

    static int f1(Step s, int d) { return d == 1 ? s.pause() : f2(s, d) + 1; }
    static int f2(Step s, int d) { return d == 2 ? s.pause() : f3(s, d) + 1; }
    static int f3(Step s, int d) { return d == 3 ? s.pause() : f4(s, d) + 1; }
    static int f4(Step s, int d) { return d == 4 ? s.pause() : f5(s, d) + 1; }
    static int f5(Step s, int d) { return d == 5 ? s.pause() : f6(s, d) + 1; }
    static int f6(Step s, int d) { return d == 6 ? s.pause() : f7(s, d) + 1; }
    static int f7(Step s, int d) { return d == 7 ? s.pause() : f8(s, d) + 1; }
    static int f8(Step s, int d) { return d == 8 ? s.pause() : f9(s, d) + 1; }
    static int f9(Step s, int d) { return d == 9 ? s.pause() : f10(s, d) + 1; }
    static int f10(Step s, int d) { return d == 10 ? s.pause() : f11(s, d) + 1; }
    static int f11(Step s, int d) { return d == 11 ? s.pause() : f12(s, d) + 1; }
    static int f12(Step s, int d) { return d == 12 ? s.pause() : f13(s, d) + 1; }
    static int f13(Step s, int d) { return d == 13 ? s.pause() : f14(s, d) + 1; }
    static int f14(Step s, int d) { return d == 14 ? s.pause() : f15(s, d) + 1; }
    static int f15(Step s, int d) { return d == 15 ? s.pause() : f16(s, d) + 1; }
    static int f16(Step s, int d) { return d == 16 ? s.pause() : f17(s, d) + 1; }
    static int f17(Step s, int d) { return d == 17 ? s.pause() : f18(s, d) + 1; }
    static int f18(Step s, int d) { return d == 18 ? s.pause() : f19(s, d) + 1; }
    static int f19(Step s, int d) { return d == 19 ? s.pause() : f20(s, d) + 1; }
    static int f20(Step s, int d) { return d == 20 ? s.pause() : 0; }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20; i++) {
            start("known-" + i, () -> {
                Step step = new Step();
                while (true) {
                    f1(step, 1 + ThreadLocalRandom.current().nextInt(20));
                }
            });
        }
        start("garbage", () -> {
            while (true) {
                byte[][] all = new byte[200][];
                for (int i = 0; i < all.length; i++) {
                    all[i] = new byte[ThreadLocalRandom.current().nextInt(20_000)];
                }
                garbage = all;
                LockSupport.parkNanos(100_000);
            }
        });
        start("classes", () -> {
            while (true) {
                Step other = (Step) new Copies().loadClass("Churn$Other").getDeclaredConstructor().newInstance();
                for (int i = 0; i < 20; i++) {
                    f1(other, 1 + i % 20);
                }
            }
        });
        start("starter", () -> {
            for (int i = 0; ; i++) {
                start("short-" + i, () -> LockSupport.parkNanos(1_000_000));
                LockSupport.parkNanos(500_000);
            }
        });
        Thread.sleep(500);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }

    /** Defines Churn$Other anew, with this program's other classes. */
    static final class Copies extends ClassLoader {
        Copies() {
            super(Churn.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Churn$Other")) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = getResourceAsStream("Churn$Other.class")) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                for (int b = in.read(); b >= 0; b = in.read()) {
                    bytes.write(b);
                }
                return defineClass(name, bytes.toByteArray(), 0, bytes.size());
            } catch (Exception e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    interface Task {
        void run() throws Exception;
    }

    private static void start(String name, Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }
}
