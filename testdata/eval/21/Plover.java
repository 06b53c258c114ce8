/** A thread spins with onSpinWait on a flag that nobody sets. */
public class Plover {
    private volatile boolean low;
    private int steps;

    private void stand(int tide) {
        while (!low) {
            Thread.onSpinWait();
        }
        steps += tide;
    }

    private void run() {
        stand(2);
        System.out.println(steps);
    }

    public static void main(String[] args) throws Exception {
        Plover plover = new Plover();
        Thread t = new Thread(plover::run, "t-1");
        t.start();
        Thread.sleep(300);
        System.out.println("READY");
        t.join();
    }
}
