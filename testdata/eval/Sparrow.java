import java.util.concurrent.atomic.AtomicBoolean;

/** A thread tries without pause to set a flag that is set already and that nobody clears. */
public class Sparrow {
    private final AtomicBoolean nest = new AtomicBoolean(true);
    private int eggs;

    private void settle() {
        while (!nest.compareAndSet(false, true)) {
            eggs += 0;
        }
        eggs++;
    }

    private void fly() {
        settle();
        System.out.println(eggs);
    }

    public static void main(String[] args) throws Exception {
        Sparrow sparrow = new Sparrow();
        new Thread(sparrow::fly, "t-1").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
