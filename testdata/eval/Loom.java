/** A thread computes without end inside a monitor that three others need. */
public class Loom {
    private final Object warp = new Object();
    private double cloth;

    void weave(int rows) {
        synchronized (warp) {
            for (long row = 0; row < Long.MAX_VALUE / rows; row++) {
                cloth = pattern(cloth, row);
            }
        }
    }

    private double pattern(double before, long row) {
        double sum = before;
        for (int i = 1; i < 400; i++) {
            sum += Math.sin(row * 0.01 + i) / i;
        }
        return sum;
    }

    double inspect() {
        synchronized (warp) {
            return cloth;
        }
    }

    public static void main(String[] args) throws Exception {
        Loom loom = new Loom();
        Thread weaver = new Thread(() -> loom.weave(2), "t-1");
        weaver.start();
        Thread.sleep(200);
        for (int i = 2; i <= 4; i++) {
            new Thread(() -> System.out.println(loom.inspect()), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
        weaver.join();
    }
}
