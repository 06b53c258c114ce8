import java.util.Timer;
import java.util.TimerTask;

/** Each guest is to be woken in an hour, and leaves at once: what was to wake him is called off, but stays in the queue till then. */
public class Innkeeper {
    static class Guest extends TimerTask {
        private final int[] bill = new int[600];
        private boolean awake;

        @Override
        public void run() {
            awake = true;
            bill[0]++;
        }
    }

    private final Timer bells = new Timer("t-2", true);

    private void host(Guest guest) {
        bells.schedule(guest, 60 * 60 * 1000L);
        int[] scratch = new int[900];
        for (int i = 0; i < 600; i++)
            scratch[i] = guest.bill[i] + i;
        guest.bill[1] = scratch[300];
        guest.cancel();
    }

    private void work() {
        try {
            while (true) {
                for (int i = 0; i < 30; i++)
                    host(new Guest());
                Thread.sleep(7);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Innkeeper inn = new Innkeeper();
        Thread host = new Thread(inn::work, "t-1");
        host.start();
        Thread.sleep(5000);
        System.out.println("READY");
        host.join();
    }
}
