/** A batch job that computes about a third of the time and rests otherwise. */
public class Ledgerman {
    private static long total(long from) {
        long sum = from;
        long end = System.nanoTime() + 15_000_000;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1000; i++) {
                sum = sum * 31 + (sum >>> 7);
            }
        }
        return sum;
    }

    private static void batch() {
        long sum = 1;
        try {
            while (sum != 0) {
                sum = total(sum) | 1;
                Thread.sleep(30);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(Ledgerman::batch, "t-1");
        t.start();
        Thread.sleep(500);
        System.out.println("READY");
        t.join();
    }
}
