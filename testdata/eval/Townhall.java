import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All workers of a pool want one monitor, whose owner is no worker and reads from a child process; callers wait. */
public class Townhall {
    private final ExecutorService clerks = Executors.newFixedThreadPool(3);
    private final Object seal = new Object();

    private int stamp(int page) {
        synchronized (seal) {
            return page + 1;
        }
    }

    private int repair() throws IOException {
        synchronized (seal) {
            return fetch();
        }
    }

    private int fetch() throws IOException {
        return new ProcessBuilder("cat").start().getInputStream().read();
    }

    private void visit(int page) {
        Future<Integer> stamped = clerks.submit(() -> stamp(page));
        try {
            System.out.println(stamped.get());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Townhall hall = new Townhall();
        new Thread(() -> {
            try {
                hall.repair();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }, "t-1").start();
        Thread.sleep(400);
        for (int i = 2; i <= 6; i++) {
            int page = i;
            new Thread(() -> hall.visit(page), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
