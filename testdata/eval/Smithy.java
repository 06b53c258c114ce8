import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/** A hand-written pool: all its threads read from child processes, while callers wait for their jobs. */
public class Smithy {
    static class Job {
        private int result = -1;

        synchronized void finish(int value) {
            result = value;
            notifyAll();
        }

        synchronized int result() throws InterruptedException {
            while (result < 0) {
                wait();
            }
            return result;
        }
    }

    private final Deque<Job> jobs = new ArrayDeque<>();

    int forge() {
        Job job = new Job();
        synchronized (jobs) {
            jobs.add(job);
            jobs.notify();
        }
        try {
            return job.result();
        } catch (InterruptedException e) {
            return -1;
        }
    }

    private Job next() throws InterruptedException {
        synchronized (jobs) {
            while (jobs.isEmpty()) {
                jobs.wait();
            }
            return jobs.remove();
        }
    }

    void hammer() {
        try {
            while (true) {
                next().finish(strike());
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int strike() throws IOException {
        InputStream metal = new ProcessBuilder("cat").start().getInputStream();
        return metal.read();
    }

    public static void main(String[] args) throws Exception {
        Smithy smithy = new Smithy();
        for (int i = 1; i <= 3; i++) {
            new Thread(smithy::hammer, "w-" + i).start();
        }
        for (int i = 1; i <= 6; i++) {
            new Thread(smithy::forge, "t-" + i).start();
        }
        Thread.sleep(700);
        System.out.println("READY");
    }
}
