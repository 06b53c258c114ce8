import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Looks after one hive after the other, and parks itself for a moment after each; main waits for the end. */
public class Beekeeper {
    private volatile String notes = "";

    private void tend() {
        for (int hive = 0; hive < 3000; hive++) {
            List<String> frames = new ArrayList<>();
            for (int i = 0; i < 10; i++)
                frames.add("frame " + hive + "." + i);
            notes = String.join(", ", frames);
            LockSupport.parkNanos(60_000_000);
        }
    }

    public static void main(String[] args) throws Exception {
        Beekeeper keeper = new Beekeeper();
        Thread round = new Thread(keeper::tend, "t-1");
        round.start();
        Thread.sleep(500);
        System.out.println("READY");
        round.join();
        System.out.println(keeper.notes);
    }
}
