import java.io.IOException;

/** A static synchronized method waits for a child process; three threads wait for the class's monitor. */
public class Mint {
    private static int coins;

    static synchronized void strike(String die) {
        try {
            coins += run(die);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int run(String die) throws IOException, InterruptedException {
        Process press = new ProcessBuilder(die).start();
        return press.waitFor();
    }

    static synchronized int coins() {
        return coins;
    }

    public static void main(String[] args) throws Exception {
        new Thread(() -> strike("cat"), "t-1").start();
        Thread.sleep(500);
        for (int i = 2; i <= 4; i++) {
            new Thread(() -> System.out.println(coins()), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
