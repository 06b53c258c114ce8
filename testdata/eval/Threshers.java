/** Many more threads that compute than there are CPUs for them. */
public class Threshers {
    static volatile double grain;

    static void thresh(int seed) {
        double x = seed;
        while (true) {
            for (int i = 0; i < 10_000; i++) {
                x = Math.sqrt(x * x + i) % 1000;
            }
            if (x < 0) {
                grain = x;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 14; i++) {
            final int seed = i;
            new Thread(() -> thresh(seed), "hand " + i).start();
        }
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
