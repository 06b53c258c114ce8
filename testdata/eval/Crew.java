import java.util.ArrayDeque;
import java.util.Deque;

/** A hand-written pool on wait and notify: its four workers are idle. */
public class Crew {
    private final Deque<Runnable> jobs = new ArrayDeque<>();

    private final class Hand extends Thread {
        Hand(int number) {
            super("w-" + number);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    next().run();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    private Runnable next() throws InterruptedException {
        synchronized (jobs) {
            while (jobs.isEmpty()) {
                jobs.wait();
            }
            return jobs.remove();
        }
    }

    void submit(Runnable job) {
        synchronized (jobs) {
            jobs.add(job);
            jobs.notify();
        }
    }

    public static void main(String[] args) throws Exception {
        Crew crew = new Crew();
        for (int i = 1; i <= 4; i++) {
            crew.new Hand(i).start();
        }
        for (int i = 0; i < 10; i++) {
            crew.submit(Thread::yield);
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
