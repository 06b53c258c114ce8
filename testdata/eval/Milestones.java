import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Two executors a second, each for one task, and none is ever shut down. */
public class Milestones {
    static class Walker implements Runnable {
        private long steps;

        @Override
        public void run() {
            try {
                while (true) {
                    steps += walk();
                    Thread.sleep(450);
                }
            } catch (Exception e) {
                System.err.println(e);
            }
        }

        long walk() throws Exception {
            ExecutorService mile = Executors.newSingleThreadExecutor();
            return mile.submit(() -> steps % 2 + 1).get();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread walker = new Thread(new Walker(), "t-1");
        walker.start();
        Thread.sleep(8000);
        System.out.println("READY");
        walker.join();
    }
}
