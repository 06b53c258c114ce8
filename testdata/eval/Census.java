import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** A report walks a synchronized map under its lock and writes to a pipe that nobody empties; users of the map wait. */
public class Census {
    private final Map<String, Integer> people = Collections.synchronizedMap(new TreeMap<>());

    void report(PipedOutputStream to) {
        synchronized (people) {
            for (Map.Entry<String, Integer> town : people.entrySet()) {
                print(to, town.getKey() + '=' + town.getValue());
            }
        }
    }

    private void print(PipedOutputStream to, String line) {
        try {
            to.write(line.getBytes());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void born(String town) {
        people.merge(town, 1, Integer::sum);
    }

    public static void main(String[] args) throws Exception {
        Census census = new Census();
        for (int i = 0; i < 5000; i++) {
            census.born("town" + i);
        }
        PipedInputStream in = new PipedInputStream(512);
        PipedOutputStream out = new PipedOutputStream(in);
        new Thread(() -> census.report(out), "t-1").start();
        Thread.sleep(300);
        for (int i = 2; i <= 4; i++) {
            String town = "town" + i;
            new Thread(() -> census.born(town), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
        while (in.available() > 0) {
            Thread.sleep(10_000);
        }
    }
}
