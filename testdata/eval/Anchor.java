/** A thread asks every 100 ms, in a timed wait, whether something is done that nobody does any more. */
public class Anchor {
    private boolean up;

    private synchronized void weigh() {
        while (!up) {
            try {
                wait(100);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void depart() {
        weigh();
        System.out.println("off");
    }

    private synchronized void haul(String chain) {
        up = chain.charAt(3) == 'x';
    }

    public static void main(String[] args) throws Exception {
        Anchor anchor = new Anchor();
        Thread crew = new Thread(() -> anchor.haul("abc"), "t-1");
        crew.setUncaughtExceptionHandler((t, e) -> System.err.println(e.getMessage()));
        crew.start();
        Thread ship = new Thread(anchor::depart, "t-2");
        ship.start();
        Thread.sleep(400);
        System.out.println("READY");
        ship.join();
    }
}
