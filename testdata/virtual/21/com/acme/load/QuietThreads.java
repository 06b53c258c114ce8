package com.acme.load;

import com.acme.ops.Scopes;
import com.acme.ops.Service;
import com.acme.ops.SilentPeer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * N virtual threads (the first argument) at rest in each way that there is, after collections, so that readers can be compared
 * with the truth, which is written to a file (the second argument) before READY. With a third argument, warm, the code is
 * compiled first. Of each thread the file has a line
 * <pre>#ID TAB NAME TAB STATE TAB BLOCKER TAB OWNER TAB MONITORS</pre>
 * with its Thread.State, the class of what it waits for ("-": nothing), the id of the thread that owns that ("-": no thread), and
 * the classes of the monitors that it holds, separated by commas ("-": none); then one line for each frame, innermost
 * first, a tab and the form of HotSpot's text.
 */
public class QuietThreads {
    private static final boolean UNMOUNTS_IN_MONITORS = Runtime.version().feature() >= 24;
    private static final String AQS = "java.util.concurrent.locks.";

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final ReentrantLock FAIR = new ReentrantLock(true);
    private static final ReentrantReadWriteLock READ_WRITE = new ReentrantReadWriteLock();
    private static final LinkedBlockingQueue<Integer> EMPTY = new LinkedBlockingQueue<>();
    private static final ArrayBlockingQueue<Integer> FULL = new ArrayBlockingQueue<>(1);
    private static final CountDownLatch LATCH = new CountDownLatch(1);
    private static final Semaphore PERMITS = new Semaphore(0);
    private static final CompletableFuture<String> FUTURE = new CompletableFuture<>();
    private static final Object MONITOR = new Object();
    private static final Object NOTIFIED = new Object();
    private static final SilentPeer PEER = new SilentPeer();
    private static volatile boolean resting;

    /** What is true of a thread, besides its state and stack, which it is asked for. */
    record Fact(Thread thread, String blocker, Thread owner, String monitors) {
    }

    private static final List<Fact> FACTS = Collections.synchronizedList(new ArrayList<>());

    private static void fact(String blocker, Thread owner) {
        fact(blocker, owner, "-");
    }

    private static void fact(String blocker, Thread owner, String monitors) {
        FACTS.add(new Fact(Thread.currentThread(), blocker, owner, monitors));
    }

    private static Thread lockOwner;
    private static Thread virtualOwner;
    private static Thread monitorOwner;
    private static final ReentrantLock HELD_BY_VIRTUAL = new ReentrantLock();

    static int deep(int frames, Runnable last) {
        if (frames == 0) {
            last.run();
            return 1;
        }
        return deep(frames - 1, last) + frames;
    }

    static long deepWithArguments(int frames, long a, double b, Object c, int d, int e, int f, long g, Runnable last) {
        if (frames == 0) {
            last.run();
            return a;
        }
        return deepWithArguments(frames - 1, a + 1, b * 2, c, d, e, f, g, last) + d + e + f + g;
    }

    private static void parkOnLatch() {
        fact("java.util.concurrent.CountDownLatch", null);
        LockSupport.park(LATCH);
    }

    /** Frames that were thawed and frozen again in parts. */
    private static void parkAgain() {
        for (int i = 0; i < 3; i++) {
            LockSupport.parkNanos(1_000_000);
        }
        deep(7, QuietThreads::parkOnLatch);
    }

    private static void yieldOften() {
        for (int i = 0; i < 20; i++) {
            Thread.yield();
            LockSupport.parkNanos(100_000);
        }
        fact("-", null);
        LockSupport.park();
    }

    private static void parkInMonitors() {
        Object outer = new Object();
        StringBuilder inner = new StringBuilder();
        synchronized (outer) {
            synchronized (inner) {
                synchronized (outer) {
                    inner.append('x');
                }
                deep(3, () -> parkWith(inner));
            }
        }
    }

    private static void parkWith(StringBuilder inner) {
        ArrayList<String> own = new ArrayList<>();
        synchronized (own) {
            own.add(inner.toString());
            fact("-", null, "java.lang.Object,java.lang.StringBuilder,java.util.ArrayList");
            LockSupport.park();
        }
    }

    private static void readFromPeer() {
        try (Socket socket = PEER.connect()) {
            fact("-", null);
            socket.getInputStream().read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final int KINDS = 18;

    static void rest(int kind) {
        try {
            if (kind < 10) {
                restSynchronizing(kind);
            } else {
                restOtherwise(kind);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void restSynchronizing(int kind) throws Exception {
        switch (kind) {
            case 0 -> {
                fact(AQS + "ReentrantLock$NonfairSync", lockOwner);
                LOCK.lock();
            }
            case 1 -> {
                fact(AQS + "ReentrantLock$FairSync", lockOwner);
                FAIR.lockInterruptibly();
            }
            case 2 -> {
                fact(AQS + "ReentrantReadWriteLock$NonfairSync", lockOwner);
                READ_WRITE.readLock().lock();
            }
            case 3 -> {
                fact(AQS + "ReentrantLock$NonfairSync", virtualOwner);
                HELD_BY_VIRTUAL.tryLock(5, TimeUnit.DAYS);
            }
            case 4 -> {
                fact("java.util.concurrent.CountDownLatch$Sync", null);
                LATCH.await();
            }
            case 5 -> {
                fact("java.util.concurrent.Semaphore$NonfairSync", null);
                PERMITS.acquire();
            }
            case 6 -> {
                fact("java.util.concurrent.CompletableFuture$Signaller", null);
                FUTURE.get();
            }
            case 7 -> {
                fact(AQS + "AbstractQueuedSynchronizer$ConditionObject", null);
                EMPTY.take();
            }
            case 8 -> {
                fact(AQS + "AbstractQueuedSynchronizer$ConditionObject", null);
                FULL.put(2);
            }
            default -> {
                fact("java.util.concurrent.CountDownLatch$Sync", null);
                virtualOwner.join(Duration.ofDays(100));
            }
        }
    }

    private static void restOtherwise(int kind) throws Exception {
        switch (kind) {
            case 10 -> {
                fact("-", null);
                Thread.sleep(100_000_000L);
            }
            case 11 -> deep(40, QuietThreads::parkOnLatch);
            case 12 -> deep(120, QuietThreads::parkAgain);
            case 13 -> deepWithArguments(60, 1, 2.0, "c", 4, 5, 6, 7L, QuietThreads::yieldOften);
            case 14 -> {
                if (UNMOUNTS_IN_MONITORS) {
                    fact("java.lang.Object", monitorOwner);
                    synchronized (MONITOR) {
                        MONITOR.notifyAll();
                    }
                } else {
                    parkOnLatch();
                }
            }
            case 15 -> waitFor(0);
            case 16 -> waitFor(100_000_000L);
            default -> {
                if (UNMOUNTS_IN_MONITORS) {
                    parkInMonitors();
                } else {
                    parkOnLatch();
                }
            }
        }
    }

    private static void waitFor(long millis) throws InterruptedException {
        if (UNMOUNTS_IN_MONITORS) {
            synchronized (NOTIFIED) {
                fact("java.lang.Object", null);
                NOTIFIED.wait(millis);
            }
        } else {
            parkOnLatch();
        }
    }

    /** A class whose initialiser does not end: the thread keeps its carrier, above frames that are in the heap. */
    static final class Slow {
        static int value;

        static {
            if (resting) {
                fact("java.util.concurrent.CountDownLatch", null);
                LockSupport.park(LATCH);
            }
            value = 1;
        }

        private Slow() {
        }
    }

    private static void initialize() {
        LockSupport.parkNanos(5_000_000);
        FULL.offer(Slow.value);
    }

    private static void scope() {
        try {
            Object scope = Scopes.OPEN.invoke();
            try {
                for (int i = 0; i < 5; i++) {
                    int kind = i;
                    Object unused = Scopes.FORK.invoke(scope, (Callable<Integer>) () -> {
                        rest(4 + kind);
                        return 1;
                    });
                }
                fact("-", null);
                Scopes.JOIN.invoke(scope);
            } finally {
                Scopes.CLOSE.invoke(scope);
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void warmUp() throws InterruptedException {
        Thread[] threads = new Thread[200];
        for (int round = 0; round < 150; round++) {
            for (int i = 0; i < threads.length; i++) {
                threads[i] = Thread.startVirtualThread(() -> {
                    deep(60, () -> LockSupport.parkNanos(1_000));
                    deepWithArguments(60, 1, 2.0, "c", 4, 5, 6, 7L, Thread::yield);
                });
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static void startOwners() {
        lockOwner = Thread.currentThread();
        LOCK.lock();
        FAIR.lock();
        READ_WRITE.writeLock().lock();
        FULL.offer(1);
        virtualOwner = Thread.ofVirtual().name("virtual-owner").start(() -> {
            HELD_BY_VIRTUAL.lock();
            parkOnLatch();
        });
        CountDownLatch entered = new CountDownLatch(1);
        Runnable owner = () -> {
            synchronized (MONITOR) {
                entered.countDown();
                fact("java.util.concurrent.CountDownLatch", null, "java.lang.Object");
                LockSupport.park(LATCH);
            }
        };
        monitorOwner = UNMOUNTS_IN_MONITORS ? Thread.ofVirtual().name("monitor-owner").start(owner)
                : Thread.ofPlatform().name("monitor-owner").daemon().start(owner);
        Service.await(() -> entered.getCount() == 0 && HELD_BY_VIRTUAL.isLocked());
    }

    private static void startAll(int n) {
        ExecutorService perTask = Executors.newVirtualThreadPerTaskExecutor();
        ExecutorService named = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("pool-", 0).factory());
        for (int i = 0; i < n; i++) {
            int kind = i % KINDS;
            Runnable task = () -> rest(kind);
            switch (i / KINDS % 3) {
                case 0 -> perTask.execute(task);
                case 1 -> named.execute(task);
                default -> Thread.ofVirtual().name(i % 11 == 0 ? "für \"中\" " + i : "request-" + i).start(task);
            }
        }
        for (int i = 0; i < Math.min(20, 1 + n / 50); i++) {
            Thread.ofVirtual().name("socket-" + i).start(QuietThreads::readFromPeer);
        }
        Thread.ofVirtual().name("scope-owner").start(QuietThreads::scope);
        Thread.ofVirtual().name("initializer").start(() -> deep(100, QuietThreads::initialize));
        int expected = n + Math.min(20, 1 + n / 50) + 1 + 5 + 1 + 2;
        Service.await(() -> FACTS.size() == expected && FACTS.stream().allMatch(f -> Service.waits(f.thread())));
    }

    private static void write(Path file) throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            for (Fact f : List.copyOf(FACTS)) {
                if (!f.thread().isVirtual()) {
                    continue;
                }
                String owner = f.owner() == null ? "-" : Long.toString(f.owner().threadId());
                out.println(String.join("\t", "#" + f.thread().threadId(), f.thread().getName(),
                        f.thread().getState().name(), f.blocker(), owner, f.monitors()));
                for (StackTraceElement frame : f.thread().getStackTrace()) {
                    out.println("\t" + Calls.line(frame));
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 2 && args[2].equals("warm")) {
            warmUp();
        }
        resting = true;
        startOwners();
        startAll(Integer.parseInt(args[0]));
        Thread.sleep(300);
        for (int i = 0; i < 2; i++) {
            System.gc();
            Thread.sleep(200);
        }
        write(Path.of(args[1]));
        Service.run();
    }
}
