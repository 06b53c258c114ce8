import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Parcel labels are rendered by an external converter, one process for a whole sheet of labels. */
public class LabelPrinter {

    record Parcel(int no, String town, int grams) { }

    /** The converter of this depot is a small script: reads parcels, writes labels, complains on the error channel. */
    static class Converter implements Closeable {
        private static final String SCRIPT =
            "while read no town grams; do "
            + "echo \"warning: font Helvetica-Narrow for $town is missing, using a default face; kerning table ignored\" >&2; "
            + "echo \"LABEL $no to $town ($grams g)\"; done";
        private final Process process;
        private final BufferedWriter in;
        private final BufferedReader out;

        Converter() throws IOException {
            process = new ProcessBuilder("/bin/sh", "-c", SCRIPT).start();
            in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
            out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        String label(Parcel p) throws IOException {
            in.write(p.no() + " " + p.town() + " " + p.grams());
            in.newLine();
            in.flush();
            return out.readLine();
        }

        @Override
        public void close() throws IOException {
            in.close();
            process.destroy();
        }
    }

    static class Sheet {
        private final List<String> lines = new ArrayList<>();

        synchronized void add(String label) {
            lines.add(label);
        }

        synchronized int size() {
            return lines.size();
        }
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Parcel> incoming = new LinkedBlockingQueue<>();
        Sheet sheet = new Sheet();
        AtomicInteger accepted = new AtomicInteger();
        Converter converter = new Converter();

        ScheduledExecutorService belt = Executors.newScheduledThreadPool(1);
        String[] towns = {"Graz", "Linz", "Wels", "Steyr", "Krems"};
        belt.scheduleAtFixedRate(() -> {
            int n = accepted.incrementAndGet();
            incoming.add(new Parcel(n, towns[n % towns.length], 100 + n % 900));
        }, 0, 4, TimeUnit.MILLISECONDS);

        Thread printer = new Thread(() -> {
            try {
                while (true) {
                    Parcel p = incoming.take();
                    String label = converter.label(p);
                    if (label == null) {
                        throw new EOFException("converter ended at parcel " + p.no());
                    }
                    sheet.add(label);
                }
            } catch (IOException | InterruptedException e) {
                System.out.println("printer: " + e);
            }
        }, "w-1");
        printer.setDaemon(true);
        printer.start();

        Thread.sleep(8000);
        System.out.println("READY");
        System.out.flush();
        for (int i = 0; i < 44; i++) {
            Thread.sleep(5000);
            System.out.println("labels " + sheet.size() + " of " + accepted.get());
        }
        belt.shutdownNow();
        converter.process.destroyForcibly();
        System.exit(0);
    }
}
