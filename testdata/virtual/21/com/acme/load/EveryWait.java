package com.acme.load;

import com.acme.ops.Scopes;
import com.acme.ops.Service;
import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Exchanger;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Virtual threads that wait in each way that the JDK has, and stay so: N of most kinds (the first argument), half of them
 * started before a collection and half after it. In the second argument, a folder, it then writes what is true of them:
 *
 * <pre>
 * threads.json  Thread.dump_to_file, written by the JVM
 * truth.tsv     id, Thread.State, class of the park blocker, id of its owner, class of the monitor that the thread waits for,
 *               id of its owner; "-" where there is none; last the name, in characters beyond ASCII and below a space as \\uXXXX
 * </pre>
 *
 * With "warm" as third argument all ways are run first until they are compiled.
 */
public class EveryWait {
    private static final boolean UNMOUNTS_IN_MONITORS = Runtime.version().feature() >= 24;
    private static final long LONG_MILLIS = 100_000_000L;
    private static final int DEEPEST = 120;
    private static final int SHALLOWEST = 40;
    private static final int WARM_TURNS = 12_000;
    /** How many threads keep a carrier, where monitors do so. */
    private static final int PINNED = 2;

    private static final List<Thread> THREADS = new ArrayList<>();
    private static final Map<Thread, Object> MONITORS = new ConcurrentHashMap<>();
    private static final Map<Object, Thread> OWNERS = new ConcurrentHashMap<>();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final ReentrantLock FAIR = new ReentrantLock(true);
    private static final ReentrantReadWriteLock CATALOG = new ReentrantReadWriteLock();
    private static final StampedLock STAMP = new StampedLock();
    private static final Semaphore PERMITS = new Semaphore(0);
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final CyclicBarrier BARRIER = new CyclicBarrier(1_000_000);
    private static final Phaser PHASER = new Phaser(1);
    private static final LinkedBlockingQueue<String> EMPTY = new LinkedBlockingQueue<>();
    private static final ArrayBlockingQueue<String> FULL = new ArrayBlockingQueue<>(1);
    private static final SynchronousQueue<String> HANDOVER = new SynchronousQueue<>();
    private static final CompletableFuture<String> ANSWER = new CompletableFuture<>();
    private static final FutureTask<String> TASK = new FutureTask<>(() -> "");
    private static final Object JOURNAL = new Journal();
    private static final Object NOTICE = new Notice();
    private static volatile int sink;

    /** Classes of monitors, so that a class shows which one is meant. */
    static final class Journal { }

    static final class Notice { }

    static final class Ledger { }

    /** What a thread does to wait. */
    interface Way {
        void await() throws Exception;
    }

    private static void run(Way way) {
        try {
            way.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Thread start(String name, Way way) {
        Thread.Builder builder = name.isEmpty() ? Thread.ofVirtual() : Thread.ofVirtual().name(name);
        return known(builder.unstarted(() -> run(way)), true);
    }

    private static Thread known(Thread thread, boolean starts) {
        synchronized (THREADS) {
            THREADS.add(thread);
        }
        if (starts) {
            thread.start();
        }
        return thread;
    }

    // ---- frames below which threads wait

    /** Calls itself so many times, with arguments of several kinds, and then waits. */
    static long deep(int left, Way way, double ratio, Object tag) throws Exception {
        if (left == 0) {
            way.await();
            return 1;
        }
        long below = left % 3 == 0 ? deeper(left - 1, way, tag, ratio) : deep(left - 1, way, ratio + left, tag);
        sink += (int) (below + ratio);
        return below + 1;
    }

    static long deeper(int left, Way way, Object tag, double ratio) throws Exception {
        String text = tag + ":" + left;
        long below = deep(left, way, ratio, text.length() > 100 ? tag : text);
        sink += text.length();
        return below;
    }

    /** Waits in the middle of a stack a second time, after some of its innermost frames have returned. */
    static long twice(int left, int second, Way way) throws Exception {
        if (left == 0) {
            LockSupport.park();
            return 1;
        }
        long below = twice(left - 1, second, way);
        if (left == second) {
            way.await();
        }
        sink += (int) below;
        return below + 1;
    }

    private static int depth(int i) {
        return SHALLOWEST + i * 13 % (DEEPEST - SHALLOWEST);
    }

    // ---- classes whose initialisers wait

    static final class TableA {
        static final int SIZE = parked();
    }

    static final class TableB {
        static final int SIZE = parked();
    }

    static int parked() {
        LockSupport.park(NEVER);
        return 1;
    }

    // ---- the ways

    private static void holdMonitor(Object monitor, Way way) throws Exception {
        synchronized (monitor) {
            OWNERS.put(monitor, Thread.currentThread());
            way.await();
        }
    }

    private static void enter(Object monitor) {
        MONITORS.put(Thread.currentThread(), monitor);
        synchronized (monitor) {
            sink++;
        }
        MONITORS.remove(Thread.currentThread());
    }

    private static void awaitNotice(long millis) throws InterruptedException {
        MONITORS.put(Thread.currentThread(), NOTICE);
        synchronized (NOTICE) {
            NOTICE.wait(millis);
        }
        MONITORS.remove(Thread.currentThread());
    }

    private static void yieldThenSleep(int turns) throws InterruptedException {
        for (int i = 0; i < turns; i++) {
            Thread.yield();
        }
        Thread.sleep(LONG_MILLIS);
    }

    private static void read(Socket socket) throws IOException {
        sink += socket.getInputStream().read();
    }

    private static void scope(int tasks) throws Throwable {
        Object scope = Scopes.OPEN.invokeExact();
        for (int i = 0; i < tasks; i++) {
            int number = i;
            Object task = Scopes.FORK.invokeExact(scope, (java.util.concurrent.Callable<?>) () -> {
                known(Thread.currentThread(), false);
                deep(number * 5, () -> Thread.sleep(LONG_MILLIS), 1, "subtask");
                return "";
            });
            sink += task.hashCode();
        }
        Scopes.JOIN.invokeExact(scope);
        Scopes.CLOSE.invokeExact(scope);
    }

    static void reflected() throws Exception {
        NEVER.await();
    }

    /** One thread of each way. */
    private static void startWays(int i, ServerSocket server) throws Exception {
        start("sleep-" + i, () -> Thread.sleep(LONG_MILLIS));
        start("deep-sleep-" + i, () -> deep(depth(i), () -> Thread.sleep(LONG_MILLIS + i), i, "s"));
        start("lock-" + i, LOCK::lock);
        start("lock-timed-" + i, () -> LOCK.tryLock(LONG_MILLIS, TimeUnit.MILLISECONDS));
        start("fair-" + i, () -> deep(depth(i + 1), FAIR::lockInterruptibly, i, "f"));
        start("reader-" + i, () -> CATALOG.readLock().lock());
        start("writer-" + i, () -> CATALOG.writeLock().lock());
        start("stamp-" + i, STAMP::writeLock);
        start("condition-" + i, EveryWait::awaitChange);
        start("permit-" + i, PERMITS::acquire);
        start("latch-" + i, () -> deep(depth(i + 2), NEVER::await, i, "l"));
        start("barrier-" + i, BARRIER::await);
        start("phaser-" + i, () -> PHASER.awaitAdvance(0));
        start("take-" + i, EMPTY::take);
        start("poll-" + i, () -> EMPTY.poll(LONG_MILLIS, TimeUnit.MILLISECONDS));
        start("put-" + i, () -> FULL.put("b"));
        start("handover-" + i, HANDOVER::take);
        start("future-" + i, ANSWER::join);
        start("queued-" + i, () -> new Exchanger<String>().exchange(""));
        start("derived-" + i, () -> ANSWER.thenApply(String::length).get(LONG_MILLIS, TimeUnit.MILLISECONDS));
        start("task-" + i, TASK::get);
        start("join-" + i, () -> THREADS.get(0).join());
        start("park-" + i, () -> deep(i % 7, LockSupport::park, i, "p"));
        start("park-timed-" + i, () -> LockSupport.parkNanos(NEVER, LONG_MILLIS * 1_000_000));
        start("yields-" + i, () -> yieldThenSleep(i % 50));
        Method method = EveryWait.class.getDeclaredMethod("reflected");
        start("reflected-" + i, () -> method.invoke(null));
        Thread again = start("again-" + i, () -> twice(90, 20 + i % 60, NEVER::await));
        awaitState(again, Thread.State.WAITING);
        LockSupport.unpark(again);
        if (i < 50) {
            startReader(i, server);
        }
        if (UNMOUNTS_IN_MONITORS || i < PINNED) {
            start("enter-" + i, () -> deep(i % 30, () -> enter(JOURNAL), i, "e"));
            start("wait-" + i, () -> awaitNotice(0));
            start("wait-timed-" + i, () -> deep(depth(i), () -> awaitNotice(LONG_MILLIS), i, "w"));
            startHolder(i);
        }
    }

    private static void awaitChange() throws InterruptedException {
        ReentrantLock own = new ReentrantLock();
        Condition changed = own.newCondition();
        own.lock();
        changed.await();
    }

    /** A thread that has entered a monitor and waits; every second one has another thread behind it. */
    private static void startHolder(int i) throws InterruptedException {
        Object ledger = new Ledger();
        Thread holder = start("holds-" + i,
                () -> deep(i % 40, () -> holdMonitor(ledger, () -> LockSupport.park(NEVER)), i, "h"));
        awaitState(holder, Thread.State.WAITING);
        if (i % 2 == 0) {
            start("behind-" + i, () -> enter(ledger));
        }
    }

    private static void startReader(int i, ServerSocket server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
        start("socket-" + i, () -> read(socket));
    }

    /** The owners of what the others wait for. */
    private static void startOwners() throws InterruptedException {
        Way sleep = () -> Thread.sleep(LONG_MILLIS);
        List<Thread> owners = new ArrayList<>();
        owners.add(own("owns-lock", LOCK, LOCK::lock, sleep));
        owners.add(own("owns-fair", FAIR, FAIR::lock, sleep));
        owners.add(own("owns-catalog", CATALOG, () -> CATALOG.writeLock().lock(), sleep));
        for (Thread owner : owners) {
            awaitState(owner, Thread.State.TIMED_WAITING);
        }
        STAMP.writeLock();
        FULL.offer("a");
        CountDownLatch entered = new CountDownLatch(1);
        Thread journal = Thread.ofPlatform().name("owns-journal").daemon().start(() -> run(() -> holdMonitor(JOURNAL, () -> {
            entered.countDown();
            Thread.sleep(LONG_MILLIS);
        })));
        entered.await();
        awaitState(journal, Thread.State.TIMED_WAITING);
    }

    private static Thread own(String name, Object lock, Way take, Way way) {
        return start(name, () -> {
            OWNERS.put(lock, Thread.currentThread());
            take.await();
            way.await();
        });
    }

    /** Threads of which there are few: those that keep a carrier, odd and long names, executors, scopes. */
    private static void startOthers(int longest) throws Exception {
        start("initialises-a", () -> twice(60, 30, () -> sink += TableA.SIZE));
        Thread b = start("initialises-b", () -> deep(depth(3), () -> sink += TableB.SIZE, 1, "i"));
        awaitState(b, Thread.State.WAITING);
        for (Thread thread : List.copyOf(THREADS)) {
            if (thread.getName().equals("initialises-a")) {
                awaitState(thread, Thread.State.WAITING);
                LockSupport.unpark(thread);
            }
        }
        Way latch = NEVER::await;
        String quarrel = "\"worker\" #7 virtual RUNNING carrier=#1";
        for (String name : List.of("", "", "caf\u00e9 cr\u00e8me \u00ff", "\u65e5\u672c \ud83d\ude00\u2028\u2029", quarrel,
                "back\\slash \\u0041 %s", " ", "x".repeat(longest),
                "\u017elu\u0165".repeat(longest / 20), "63-" + "y".repeat(45), "48-" + "z".repeat(44))) {
            start(name, latch);
        }
        ExecutorService perTask = Executors.newVirtualThreadPerTaskExecutor();
        ExecutorService named = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("named-", 0).factory());
        ExecutorService fixed = Executors.newFixedThreadPool(3, Thread.ofVirtual().name("pooled-", 0).factory());
        for (int i = 0; i < 5; i++) {
            for (ExecutorService executor : List.of(perTask, named, fixed)) {
                executor.execute(() -> {
                    known(Thread.currentThread(), false);
                    run(latch);
                });
            }
        }
        for (int i = 0; i < 3; i++) {
            int tasks = 1 + i * 4;
            start("scope-" + i, () -> scoped(tasks));
        }
        Thread.ofPlatform().daemon().name("platform-scope").start(() -> run(() -> scoped(4)));
    }

    private static void scoped(int tasks) throws Exception {
        try {
            scope(tasks);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- warming up

    /** Runs the ways until they are compiled: what a thread does that waits, with a permit that was given before. */
    private static void warm() throws Exception {
        Thread warming = Thread.ofVirtual().start(() -> run(() -> {
            for (int i = 0; i < WARM_TURNS; i++) {
                LockSupport.unpark(Thread.currentThread());
                deep(i % 20, LockSupport::park, i, "w");
                LockSupport.unpark(Thread.currentThread());
                twice(10, 5, Thread::yield);
                PERMITS.tryAcquire(1, TimeUnit.NANOSECONDS);
                EMPTY.poll(1, TimeUnit.NANOSECONDS);
                NEVER.await(1, TimeUnit.NANOSECONDS);
                HANDOVER.poll(1, TimeUnit.NANOSECONDS);
                holdMonitor(new Ledger(), Thread::yield);
                enter(new Ledger());
                Thread.sleep(0, 1);
                OWNERS.clear();
            }
        }));
        warming.join();
    }

    // ---- what is true

    private static void awaitState(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(0, 100_000);
        }
    }

    private static String describe(Thread thread) {
        Object blocker = LockSupport.getBlocker(thread);
        Object monitor = MONITORS.get(thread);
        // who waits for the end of a thread waits for something that this thread alone can give
        String owner = thread.getName().startsWith("join-")
                ? Long.toString(THREADS.get(0).threadId()) : owner(lockOf(blocker));
        return String.join("\t", Long.toString(thread.threadId()), thread.getState().toString(), className(blocker),
                owner, className(monitor), owner(monitor), escaped(thread.getName()));
    }

    private static String escaped(String name) {
        StringBuilder text = new StringBuilder();
        for (char c : name.toCharArray()) {
            if (c < ' ' || c > '~' || c == '\\') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static String className(Object object) {
        return object == null ? "-" : object.getClass().getName();
    }

    private static String owner(Object object) {
        Thread owner = object == null ? null : OWNERS.get(object);
        return owner == null ? "-" : Long.toString(owner.threadId());
    }

    /** The lock whose part a blocker is; the locks differ in the class of that part. */
    private static Object lockOf(Object blocker) {
        return switch (className(blocker)) {
            case "java.util.concurrent.locks.ReentrantLock$NonfairSync" -> LOCK;
            case "java.util.concurrent.locks.ReentrantLock$FairSync" -> FAIR;
            case "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync" -> CATALOG;
            default -> null;
        };
    }

    /** What all threads do, as long as it takes until it is the same for a while. */
    private static List<String> awaitQuiet() throws InterruptedException {
        List<String> before = List.of();
        for (int same = 0; ; ) {
            Thread.sleep(200);
            List<String> now;
            synchronized (THREADS) {
                now = THREADS.stream().map(EveryWait::describe).toList();
            }
            same = now.equals(before) && now.stream().noneMatch(line -> line.contains("RUNNABLE")) ? same + 1 : 0;
            if (same == 3) {
                return now;
            }
            before = now;
        }
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        Path folder = Path.of(args[1]);
        if (args.length > 2) {
            warm();
        }
        startOwners();
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        for (int i = 0; i < n; i++) {
            if (i == n / 2) {
                System.gc();
            }
            startWays(i, server);
        }
        startOthers(n == 0 ? 300 : 70_000);
        System.gc();
        awaitQuiet();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpThreads(
                folder.resolve("threads.json").toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
        rename();
        Files.write(folder.resolve("truth.tsv"), awaitQuiet());
        Service.run();
    }

    /** Gives names with control characters, which the JVM's own dump cannot write. */
    private static void rename() {
        String[] names = {"tab\tnul\u0000del\u007f\u0085esc\u001b[1m", "\"worker\" #7 virtual RUNNING\n\tat java.lang.Object.wait"};
        for (int i = 0; i < names.length; i++) {
            THREADS.get(i).setName(names[i]);
        }
    }
}
