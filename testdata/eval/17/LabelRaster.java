import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

public class LabelRaster {
    record Job(int no, String template) {}

    static class RasterTool implements Closeable {
        private final Process process;
        private final BufferedReader out;

        RasterTool(String script) throws IOException {
            process = new ProcessBuilder("sh", "-c", script).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            out = new BufferedReader(new InputStreamReader(process.getInputStream()));
        }

        byte[] raster(Job j) throws IOException {
            OutputStream in = process.getOutputStream();
            in.write((j.template() + "\n").getBytes());
            in.flush();
            return readImage();
        }

        private byte[] readImage() throws IOException {
            ByteArrayOutputStream img = new ByteArrayOutputStream();
            for (String l; (l = out.readLine()) != null && !l.equals("EOF"); ) img.write(l.getBytes());
            return img.toByteArray();
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    static class LabelJobRunner implements Runnable {
        private final List<Job> jobs;
        private final AtomicInteger done;

        LabelJobRunner(List<Job> jobs, AtomicInteger done) {
            this.jobs = jobs;
            this.done = done;
        }

        public void run() {
            for (Job j : jobs) {
                try {
                    print(j);
                    done.incrementAndGet();
                } catch (IOException e) {
                    System.err.println("job " + j.no() + ": " + e);
                }
            }
        }

        private void print(Job j) throws IOException {
            String script = j.no() % 10 < 3 ? "read t; echo \"$t\"; echo EOF" : "read t; echo \"$t\"; exec sleep 240";
            try (RasterTool tool = new RasterTool(script)) {
                tool.raster(j);
            }
        }
    }

    static class SpoolCleaner {
        private final List<String> names = new ArrayList<>();

        void sweep() {
            names.clear();
            for (int i = 0; i < 1500; i++) names.add("spool-" + i);
            Collections.shuffle(names);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger done = new AtomicInteger();
        List<Thread> runners = new ArrayList<>();
        for (int r = 1; r <= 3; r++) {
            List<Job> jobs = new ArrayList<>();
            for (int i = 0; i < 8; i++) jobs.add(new Job(r * 10 + i, "PARCEL-" + r + "-" + i));
            Thread t = new Thread(new LabelJobRunner(jobs, done), "raster-" + r);
            t.start();
            runners.add(t);
        }
        SpoolCleaner cleaner = new SpoolCleaner();
        ScheduledExecutorService sweep = Executors.newScheduledThreadPool(1, r -> new Thread(r, "spool-sweep"));
        sweep.scheduleAtFixedRate(cleaner::sweep, 0, 60, TimeUnit.MILLISECONDS);
        ExecutorService mail = Executors.newFixedThreadPool(2, r -> new Thread(r, "mail-out"));
        mail.submit(cleaner::sweep);
        while (done.get() < 9) Thread.sleep(50);
        int calm = 0;
        while (calm < 5) {
            Thread.sleep(200);
            boolean all = true;
            for (Thread t : runners) {
                StackTraceElement[] st = t.getStackTrace();
                boolean reads = false;
                for (StackTraceElement e : st) reads |= e.getMethodName().equals("readImage");
                all &= reads;
            }
            calm = all ? calm + 1 : 0;
        }
        System.out.println("READY");
        System.out.flush();
    }
}
