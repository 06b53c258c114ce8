import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** FullHeap MEGABYTES: keeps that much of small objects, and a thread waits for a ReentrantLock that main holds. */
final class FullHeap {
    private static final int OBJECT_BYTES = 24; // with its slot in the list about 28

    public static void main(String[] args) throws Exception {
        int objects = (int) ((long) Threads.argument(args, 0, 100) * (1 << 20) / (OBJECT_BYTES + 4));
        List<Object> kept = new ArrayList<>(objects);
        for (int i = 0; i < objects; i++) {
            kept.add(new long[1]);
        }
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Threads.await(Threads.start("waiter", lock::lock), Thread.State.WAITING);
        Threads.ready();
        Thread.sleep(Long.MAX_VALUE);
        System.out.println(kept.size());
    }
}
