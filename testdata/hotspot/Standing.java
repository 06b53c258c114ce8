import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.Timer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Standing: a program whose threads all stand still, each in another way: it prints READY when they do.
 */
public final class Standing {
    private static final Object MONITOR = new Object();
    private static final Object NOTIFIED = new Object();
    private static final Object DEEP = new Object();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final ReentrantReadWriteLock READ_WRITE = new ReentrantReadWriteLock();
    private static volatile boolean wasNotified;
    private static volatile int sink;
    private static volatile boolean warm;

    interface Task {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        locks();
        queues();
        monitors();
        compiled();
        natives();
        virtual();
        start("name with \"quotes\"", () -> Thread.sleep(Long.MAX_VALUE));
        start("\u00fcml\u00e4ut \u65e5\u672c\u8a9e \ud83d\ude00", () -> Thread.sleep(Long.MAX_VALUE));
        start("", () -> Thread.sleep(Long.MAX_VALUE));
        Thread last = start("last", () -> Thread.sleep(Long.MAX_VALUE));
        last.setPriority(7);
        settle(last);
        settleAll();
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void locks() throws Exception {
        settle(start("holder", () -> {
            LOCK.lock();
            READ_WRITE.writeLock().lock();
            synchronized (MONITOR) {
                synchronized (Standing.class) {
                    Thread.sleep(Long.MAX_VALUE);
                }
            }
        }));
        start("lock", LOCK::lock);
        start("lock-timed", () -> LOCK.tryLock(1, TimeUnit.DAYS));
        start("read-lock", () -> READ_WRITE.readLock().lock());
        start("write-lock", () -> READ_WRITE.writeLock().lock());
        start("blocked", () -> {
            synchronized (MONITOR) {
                sink++;
            }
        });
        start("blocked-on-class", Standing::synchronizedMethod);
        start("condition", () -> {
            ReentrantLock lock = new ReentrantLock();
            Condition condition = lock.newCondition();
            lock.lock();
            condition.await();
        });
    }

    private static synchronized void synchronizedMethod() {
        sink++;
    }

    private static void queues() throws Exception {
        start("queue-take", () -> new ArrayBlockingQueue<String>(1).take());
        start("queue-put", () -> {
            ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
            queue.put("a");
            queue.put("b");
        });
        start("latch", () -> new CountDownLatch(3).await());
        start("barrier", () -> new CyclicBarrier(3).await());
        start("semaphore", () -> new Semaphore(0).acquire());
        start("future", () -> new FutureTask<>(() -> 1).get());
        start("completable", () -> new CompletableFuture<String>().get());
        start("join", () -> Thread.currentThread().join());
        start("park", () -> LockSupport.park());
        start("park-blocker", () -> LockSupport.park("blocker"));
        start("park-nanos", () -> LockSupport.parkNanos(TimeUnit.DAYS.toNanos(9)));
        new Timer("timer", true);
        new ScheduledThreadPoolExecutor(1, r -> daemon("scheduler", r)).schedule(() -> 1, 9, TimeUnit.DAYS);
        ExecutorService pool = Executors.newFixedThreadPool(2, r -> daemon("pool", r));
        pool.submit(() -> 1).get();
        pool.submit(() -> new CountDownLatch(1).await(9, TimeUnit.DAYS));
    }

    private static void monitors() throws Exception {
        start("wait", () -> {
            Object o = new Object();
            synchronized (o) {
                o.wait();
            }
        });
        start("wait-timed", () -> {
            Object o = new int[0];
            synchronized (o) {
                o.wait(9_000_000);
            }
        });
        Thread notified = start("notified", () -> {
            synchronized (NOTIFIED) {
                NOTIFIED.wait();
                wasNotified = true;
            }
        });
        settle(notified);
        start("notifier", () -> {
            synchronized (NOTIFIED) {
                NOTIFIED.notifyAll();
                Thread.sleep(Long.MAX_VALUE);
            }
        });
        start("nested", () -> {
            synchronized (new StringBuilder()) {
                synchronized (new Object[0]) {
                    nested(5);
                }
            }
        });
    }

    private static Guard lockOf(int i) {
        return new Guard();
    }

    private static final class Guard {
    }

    private static void nested(int depth) throws Exception {
        synchronized (lockOf(depth)) {
            if (depth == 0) {
                Thread.sleep(Long.MAX_VALUE);
            }
            nested(depth - 1);
        }
    }

    /** Threads that stand in compiled code, with methods inlined and monitors entered in it. */
    private static void compiled() throws Exception {
        settle(start("deep-holder", () -> {
            synchronized (DEEP) {
                Thread.sleep(Long.MAX_VALUE);
            }
        }));
        start("compiled-park", () -> {
            warm(false);
            warm(true);
        });
        start("compiled-monitors", () -> {
            Object outer = new Object();
            Object inner = new StringBuilder();
            for (int i = 0; i < 30_000; i++) {
                withMonitors(outer, inner, false);
            }
            withMonitors(outer, inner, true);
        });
        start("compiled-both", () -> {
            Object outer = new Object();
            Object inner = new StringBuilder();
            for (int i = 0; i < 30_000; i++) {
                LockSupport.unpark(Thread.currentThread());
                withBoth(outer, inner);
            }
            withBoth(outer, inner);
        });
        start("compiled-blocked", () -> {
            Object free = new Object();
            for (int i = 0; i < 30_000; i++) {
                enter(free);
            }
            enter(DEEP);
        });
        start("compiled-eliminated", () -> {
            for (int i = 0; i < 30_000; i++) {
                eliminated(false);
            }
            eliminated(true);
        });
        deoptimised();
        start("recursive", () -> {
            for (int i = 0; i < 300; i++) {
                recurse(100, false);
            }
            recurse(300, true);
        });
        start("osr", () -> {
            for (int i = 0; i < 300_000; i++) {
                sink += i;
                if (i == 299_999) {
                    LockSupport.park();
                }
            }
        });
    }

    /** A thread whose compiled code is made invalid while it stands in it: a class is loaded that overrides. */
    private static void deoptimised() throws Exception {
        Thread thread = start("deoptimised", () -> {
            Shape shape = new Square();
            for (int i = 0; i < 30_000; i++) {
                LockSupport.unpark(Thread.currentThread());
                measure(shape);
            }
            warm = true;
            measure(shape);
        });
        while (!warm) {
            Thread.sleep(5);
        }
        Thread.sleep(50);
        settle(thread);
        sink += new Circle().size();
    }

    private static int measure(Shape shape) {
        return shape.size() + 1;
    }

    abstract static class Shape {
        abstract int size();
    }

    static final class Square extends Shape {
        @Override
        int size() {
            LockSupport.park();
            return 1;
        }
    }

    static final class Circle extends Shape {
        @Override
        int size() {
            return 2;
        }
    }

    private static void warm(boolean stand) {
        for (int i = 0; i < (stand ? 1 : 30_000); i++) {
            if (!stand) {
                LockSupport.unpark(Thread.currentThread());
            }
            first(i, stand);
        }
    }

    private static int first(int i, boolean stand) {
        return second(i + 1, stand) + 1;
    }

    private static int second(int i, boolean stand) {
        return third(i + 1) + 1;
    }

    private static int third(int i) {
        LockSupport.park(MONITOR);
        return i;
    }

    private static void withMonitors(Object outer, Object inner, boolean stand) {
        synchronized (outer) {
            withInner(inner, stand);
            sink++;
        }
    }

    private static void withBoth(Object outer, Object inner) {
        synchronized (outer) {
            synchronized (inner) {
                LockSupport.park();
            }
        }
    }

    private static void withInner(Object inner, boolean stand) {
        synchronized (inner) {
            if (!stand) {
                LockSupport.unpark(Thread.currentThread());
            }
            LockSupport.park();
        }
    }

    private static void enter(Object o) {
        inlinedEnter(o);
    }

    private static void inlinedEnter(Object o) {
        synchronized (o) {
            sink++;
        }
    }

    private static void eliminated(boolean stand) {
        Object own = new Object();
        synchronized (own) {
            if (!stand) {
                LockSupport.unpark(Thread.currentThread());
            }
            LockSupport.park();
        }
    }

    private static int recurse(int depth, boolean stand) {
        if (depth > 0) {
            return recurse(depth - 1, stand) + 1;
        }
        if (stand) {
            LockSupport.park();
        }
        return 0;
    }

    private static void natives() throws Exception {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept();
        start("socket-read", () -> accepted.getInputStream().read());
        start("socket-accept", server::accept);
        start("selector", () -> Selector.open().select());
        start("reflection", () -> Thread.class.getMethod("sleep", long.class).invoke(null, Long.MAX_VALUE));
        sink += client.getPort();
    }

    /** From 21 on: a virtual thread that stays on its carrier, as it waits while a class is initialised. */
    private static void virtual() throws Exception {
        Runnable pinned = () -> sink += Pinned.value;
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, pinned);
        } catch (NoSuchMethodException e) {
            sink++; // an older JDK
        }
    }

    private static final class Pinned {
        static int value = 1;

        static {
            synchronized (Pinned.class) {
                LockSupport.park();
            }
        }
    }

    private static Thread daemon(String name, Runnable r) {
        Thread thread = new Thread(r, name);
        thread.setDaemon(true);
        return thread;
    }

    private static Thread start(String name, Task task) {
        Thread thread = daemon(name, () -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    /** Waits until no stack has changed for half a second. */
    private static void settleAll() throws InterruptedException {
        String before = "";
        for (int same = 0; same < 5; ) {
            StringBuilder now = new StringBuilder();
            for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
                now.append(Arrays.toString(stack)).append('\n');
            }
            String sorted = sorted(now.toString());
            same = sorted.equals(before) ? same + 1 : 0;
            before = sorted;
            Thread.sleep(100);
        }
    }

    private static String sorted(String lines) {
        String[] all = lines.split("\n");
        Arrays.sort(all);
        return Arrays.toString(all);
    }

    /** Waits until the thread waits. */
    private static void settle(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            Thread.sleep(5);
        }
    }
}
