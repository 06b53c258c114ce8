/** A thread yields in a loop until a flag is set that nobody sets. */
public class Pendulum {
    private volatile boolean stop;
    private long swings;

    private void swing() {
        while (!stop) {
            swings++;
            Thread.yield();
        }
    }

    public static void main(String[] args) throws Exception {
        Pendulum pendulum = new Pendulum();
        Thread t = new Thread(pendulum::swing, "t-1");
        t.start();
        Thread.sleep(300);
        System.out.println("READY");
        t.join();
    }
}
