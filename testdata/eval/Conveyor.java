import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Three threads are stuck in put on a full ArrayBlockingQueue, because its one consumer sleeps over an item. */
public class Conveyor {
    private final BlockingQueue<Integer> belt = new ArrayBlockingQueue<>(8);

    void load() {
        for (int box = 0; ; box++) {
            try {
                belt.put(box);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    void unload() {
        try {
            while (true) {
                stack(belt.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stack(int box) throws InterruptedException {
        if (box > 2) {
            TimeUnit.DAYS.sleep(1);
        }
    }

    public static void main(String[] args) throws Exception {
        Conveyor conveyor = new Conveyor();
        new Thread(conveyor::unload, "t-1").start();
        for (int i = 2; i <= 4; i++) {
            new Thread(conveyor::load, "t-" + i).start();
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
