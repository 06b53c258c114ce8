/** Short-lived threads: each lasts 100 ms, and there are never more than a few. */
public class Nursery {
    private static void nap() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100_000; i++) {
            new Thread(Nursery::nap, "n-" + i).start();
            Thread.sleep(25);
            if (i == 20) {
                System.out.println("READY");
            }
        }
    }
}
