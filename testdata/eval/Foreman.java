/** A launcher: a thread waits for the program that it has started and that works, main for the thread. */
public class Foreman {
    private int result;

    private void watch() {
        try {
            Process crew = new ProcessBuilder("sh", "-c", "while :; do expr 1 + 1 > /dev/null; sleep 0.05; done").start();
            result = crew.waitFor();
        } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Foreman foreman = new Foreman();
        Thread t = new Thread(foreman::watch, "t-1");
        t.start();
        Thread.sleep(300);
        System.out.println("READY");
        t.join();
        System.exit(foreman.result);
    }
}
