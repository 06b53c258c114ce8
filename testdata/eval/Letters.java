import java.util.concurrent.CompletableFuture;

/** Two threads wait for one another's answer before each would give its own. */
public class Letters {
    static class Writer implements Runnable {
        final CompletableFuture<String> answer = new CompletableFuture<>();
        private Writer pen;

        @Override
        public void run() {
            answer.complete(reply());
        }

        private String reply() {
            return pen.answer.join() + "!";
        }
    }

    public static void main(String[] args) throws Exception {
        Writer a = new Writer();
        Writer b = new Writer();
        a.pen = b;
        b.pen = a;
        new Thread(a, "t-1").start();
        new Thread(b, "t-2").start();
        Thread.sleep(400);
        System.out.println("READY");
    }
}
