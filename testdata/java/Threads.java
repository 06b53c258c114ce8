import java.util.concurrent.locks.LockSupport;

/** Starts the threads of the workloads and tells the test when they are where they should be. */
final class Threads {
    private Threads() {
    }

    interface Task {
        void run() throws Exception;
    }

    /** A small stack, so that thousands fit; daemons, so that none outlives main. */
    static Thread start(String name, Task task) {
        Thread thread = new Thread(null, () -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name, 512 << 10);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Waits until the thread is in the state, and has been for two looks. */
    static void await(Thread thread, Thread.State state) throws InterruptedException {
        for (int seen = 0; seen < 2; ) {
            seen = thread.getState() == state ? seen + 1 : 0;
            Thread.sleep(5);
        }
    }

    static void ready() {
        System.out.println("READY");
    }

    /** Parks for good, depth calls deep. */
    static void parkAt(int depth, Runnable before) {
        if (depth > 1) {
            parkAt(depth - 1, before);
            return;
        }
        before.run();
        while (true) {
            LockSupport.park(Threads.class);
        }
    }

    static int argument(String[] args, int i, int otherwise) {
        return i < args.length ? Integer.parseInt(args[i]) : otherwise;
    }
}
