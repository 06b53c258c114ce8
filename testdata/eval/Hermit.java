/** Idles, but was started so that nobody may attach. */
public class Hermit {
    private synchronized void pray() throws InterruptedException {
        for (int day = 0; day < 365; day++) {
            wait(1000);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("READY");
        new Hermit().pray();
    }
}
