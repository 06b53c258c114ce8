import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Main fires its kilns one by one, with a pause after each; three stalls wait until all are done. */
public class Pottery {
    private final CountDownLatch fired = new CountDownLatch(1);
    private final List<int[]> jars = new ArrayList<>();

    void stall(int n) {
        try {
            fired.await();
        } catch (InterruptedException e) {
            return;
        }
        System.out.println("stall " + n + " has " + jars.size());
    }

    void fire() throws InterruptedException {
        for (int kiln = 0; kiln < 2000; kiln++) {
            jars.add(shape(kiln));
            Thread.sleep(30);
        }
        fired.countDown();
    }

    private int[] shape(int kiln) {
        int[] last = new int[0];
        for (int jar = 0; jar < 40; jar++) {
            last = new int[1000 + kiln % 7];
            last[jar] = kiln;
        }
        return java.util.Arrays.copyOf(last, 4);
    }

    public static void main(String[] args) throws Exception {
        Pottery pottery = new Pottery();
        for (int i = 1; i <= 3; i++) {
            int n = i;
            new Thread(() -> pottery.stall(n), "t-" + i).start();
        }
        System.out.println("READY");
        pottery.fire();
    }
}
