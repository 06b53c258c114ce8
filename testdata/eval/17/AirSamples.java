import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** Air quality stations: a sampler fills a sheet of readings and swaps it for an empty one with the writer. */
public class AirSamples {

    static final class Sheet {
        private final List<String> lines = new ArrayList<>();

        void note(String station, int value) {
            lines.add(station + ";" + value);
        }

        boolean full() {
            return lines.size() >= 60;
        }

        void clear() {
            lines.clear();
        }
    }

    static final class Station {
        private final String name;
        private final Exchanger<Sheet> swap = new Exchanger<>();
        private final Semaphore published = new Semaphore(0);
        private volatile int sheets;

        Station(String name) {
            this.name = name;
        }

        void start(Path folder) {
            new Thread(this::sample, "sampler-" + name).start();
            new Thread(() -> write(folder.resolve(name + ".csv")), "sheet-writer-" + name).start();
            new Thread(this::publish, "publisher-" + name).start();
        }

        private void sample() {
            try {
                Sheet sheet = new Sheet();
                for (int tick = 0; ; tick++) {
                    sheet.note(name, read(tick));
                    if (sheet.full()) {
                        sheet = swap.exchange(sheet);
                    }
                    LockSupport.parkNanos(95_000_000L);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private int read(int tick) {
            return (int) (20 + 10 * Math.sin(tick / 50.0));
        }

        private void write(Path file) {
            try {
                Sheet sheet = new Sheet();
                while (true) {
                    sheet = swap.exchange(sheet);
                    store(sheet, file);
                    sheet.clear();
                    sheets++;
                    published.release();
                }
            } catch (IOException e) {
                System.err.println("sheet lost: " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void store(Sheet sheet, Path file) throws IOException {
            try (BufferedWriter out = Files.newBufferedWriter(file)) {
                for (String line : sheet.lines) {
                    out.write(line);
                    out.newLine();
                }
            }
        }

        private void publish() {
            try {
                while (true) {
                    published.acquire();
                    System.out.println(name + " sheet " + sheets);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory(Path.of("."), "air");
        List<Station> stations = List.of(new Station("market"), new Station("ring-road"));
        for (Station s : stations) {
            s.start(folder);
        }
        while (stations.stream().anyMatch(s -> s.sheets < 1)) {
            Thread.sleep(20);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.currentThread().join();
    }
}
