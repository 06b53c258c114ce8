import java.util.ArrayList;
import java.util.List;

/** Looks after two long-running child processes, asking every 200 ms whether they are alive. */
public class Kennel {
    private final List<Process> dogs = new ArrayList<>();

    private void feed() throws Exception {
        for (int i = 0; i < 2; i++) {
            dogs.add(new ProcessBuilder("cat").start());
        }
    }

    private boolean rounds() throws InterruptedException {
        for (Process dog : dogs) {
            if (!dog.isAlive()) {
                return false;
            }
        }
        Thread.sleep(200);
        return true;
    }

    public static void main(String[] args) throws Exception {
        Kennel kennel = new Kennel();
        kennel.feed();
        Thread.sleep(500);
        System.out.println("READY");
        while (kennel.rounds()) {
            Thread.yield();
        }
    }
}
