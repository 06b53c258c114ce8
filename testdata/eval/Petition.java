import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** An executor silently dropped a task, and its caller waits for the result; the workers are idle again. */
public class Petition {
    private final ThreadPoolExecutor clerks = new ThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS,
            new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.DiscardPolicy());

    private String file(int page) {
        Future<String> stamp = clerks.submit(() -> read(page));
        return answer(stamp);
    }

    private String answer(Future<String> stamp) {
        try {
            return stamp.get();
        } catch (Exception e) {
            return e.getMessage();
        }
    }

    private static String read(int page) throws InterruptedException {
        Thread.sleep(200);
        return "page " + page;
    }

    public static void main(String[] args) throws Exception {
        Petition petition = new Petition();
        for (int i = 1; i <= 4; i++) {
            int page = i;
            new Thread(() -> petition.file(page), "t-" + i).start();
            Thread.sleep(20);
        }
        Thread.sleep(700);
        System.out.println("READY");
    }
}
