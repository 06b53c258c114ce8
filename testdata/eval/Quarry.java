/** A thread joins its helper while it holds the monitor that the helper needs to finish. */
public class Quarry {
    private int blocks;

    synchronized void add(int n) {
        blocks += n;
    }

    synchronized int close(Thread helper) throws InterruptedException {
        helper.start();
        helper.join();
        return blocks;
    }

    void dig() {
        int found = 0;
        for (int i = 0; i < 1000; i++) {
            found += i % 3;
        }
        add(found);
    }

    public static void main(String[] args) throws Exception {
        Quarry quarry = new Quarry();
        Thread helper = new Thread(quarry::dig, "t-2");
        new Thread(() -> {
            try {
                System.out.println(quarry.close(helper));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "t-1").start();
        Thread.sleep(400);
        System.out.println("READY");
    }
}
