import java.io.PipedInputStream;
import java.io.PipedOutputStream;

/** Three wells pour into one pipe, and the keeper who should draw from it is asleep. */
public class Aqueduct {
    private final PipedOutputStream inlet = new PipedOutputStream();
    private final PipedInputStream basin;

    Aqueduct() throws Exception {
        basin = new PipedInputStream(inlet, 64);
    }

    void pour(int water) {
        try {
            while (true) {
                inlet.write(water);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void draw() {
        try {
            while (basin.read() >= 0) {
                Thread.sleep(3_600_000);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Aqueduct a = new Aqueduct();
        new Thread(a::draw, "keeper").start();
        for (int i = 0; i < 3; i++) {
            int water = i;
            new Thread(() -> a.pour(water), "well-" + i).start();
        }
    }
}
