import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedList;
import java.util.Set;
import java.util.TreeSet;

/** Scanned forms arrive as files; a poller finds them, a reader splits them, a filer stores the fields. */
public class ScanInbox {

    static final class Hopper<T> {
        private final LinkedList<T> items = new LinkedList<>();
        private final int capacity;
        private int takers;

        Hopper(int capacity) {
            this.capacity = capacity;
        }

        synchronized void put(T item) throws InterruptedException {
            while (items.size() >= capacity) {
                wait();
            }
            items.add(item);
            notifyAll();
        }

        synchronized T take() throws InterruptedException {
            takers++;
            while (items.isEmpty()) {
                wait();
            }
            takers--;
            T item = items.removeFirst();
            notifyAll();
            return item;
        }

        synchronized int takers() {
            return takers;
        }
    }

    static final class Poller implements Runnable {
        private final Path folder;
        private final Hopper<Path> found;
        private final Set<Path> known = new TreeSet<>();
        private volatile int rounds;

        Poller(Path folder, Hopper<Path> found) {
            this.folder = folder;
            this.found = found;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    look();
                    rounds++;
                    Thread.sleep(1000);
                }
            } catch (IOException e) {
                System.err.println("folder unreadable: " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void look() throws IOException, InterruptedException {
            Set<Path> present = new TreeSet<>();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.form")) {
                for (Path p : files) {
                    present.add(p);
                    if (known.add(p)) {
                        found.put(p);
                    }
                }
            }
            known.retainAll(present);
        }
    }

    static final class Stages {
        private final Hopper<Path> found = new Hopper<>(10);
        private final Hopper<String> fields = new Hopper<>(50);
        private volatile int filed;

        void read() {
            try {
                while (true) {
                    Path p = found.take();
                    for (String line : Files.readAllLines(p)) {
                        fields.put(line.trim());
                    }
                    Files.deleteIfExists(p);
                }
            } catch (IOException e) {
                System.err.println("form unreadable: " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void file() {
            try {
                while (true) {
                    if (!fields.take().isEmpty()) {
                        filed++;
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory(Path.of("."), "scans");
        for (int i = 0; i < 3; i++) {
            Files.writeString(folder.resolve("first-" + i + ".form"), "name=A" + i + "\nstreet=B" + i + "\n");
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Files.deleteIfExists(folder);
            } catch (IOException e) {
                System.err.println("kept " + folder);
            }
        }, "inbox-tidy"));
        Stages stages = new Stages();
        Poller poller = new Poller(folder, stages.found);
        Thread reader = new Thread(stages::read, "form-reader");
        Thread filer = new Thread(stages::file, "form-filer");
        Thread scan = new Thread(poller, "inbox-poller");
        reader.setDaemon(true);
        filer.setDaemon(true);
        reader.start();
        filer.start();
        scan.start();
        while (stages.filed < 6 || poller.rounds < 2 || stages.found.takers() == 0 || stages.fields.takers() == 0) {
            Thread.sleep(30);
        }
        System.out.println("READY");
        System.out.flush();
        scan.join();
    }
}
