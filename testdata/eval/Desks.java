import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Each request makes an executor of its own and never shuts it down: the workers idle on. */
public class Desks {
    private static final int MOST = 1500;

    private static int request(int number) throws Exception {
        ExecutorService own = Executors.newFixedThreadPool(1);
        return own.submit(() -> number * 2).get();
    }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < MOST; i++) {
            sum += request(i);
            if (i == 20) {
                System.out.println("READY");
            }
            Thread.sleep(50);
        }
        Thread.sleep(sum * 1000L);
    }
}
