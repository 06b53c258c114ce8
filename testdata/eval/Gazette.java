import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A thread joins another with a monitor in its hands; that one waits for a task, which wants the monitor. */
public class Gazette {
    private final List<String> pages = new ArrayList<>();
    private final ExecutorService plates = Executors.newFixedThreadPool(2);

    synchronized int size() {
        return pages.size();
    }

    synchronized void close() throws InterruptedException {
        Runner runner = new Runner();
        runner.start();
        runner.join();
        pages.clear();
    }

    class Runner extends Thread {
        Runner() {
            super("t-2");
        }

        @Override
        public void run() {
            Future<Integer> plate = plates.submit(Gazette.this::etch);
            try {
                System.out.println(plate.get());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private int etch() {
        return size() * 2;
    }

    public static void main(String[] args) throws Exception {
        Gazette gazette = new Gazette();
        gazette.pages.add("front");
        Thread editor = new Thread(() -> {
            try {
                gazette.close();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "t-1");
        editor.start();
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
