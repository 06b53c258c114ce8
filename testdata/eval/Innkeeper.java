import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Each guest is to be woken in an hour, and leaves at once: what was to wake him is called off, but stays in the queue till then. */
public class Innkeeper {
    static class Guest {
        private final int[] bill = new int[600];
        private boolean awake;

        void wake() {
            awake = true;
            bill[0]++;
        }
    }

    private final ScheduledExecutorService bells = Executors.newScheduledThreadPool(1);

    private void host(Guest guest) {
        ScheduledFuture<?> call = bells.schedule(guest::wake, 60, TimeUnit.MINUTES);
        int[] scratch = new int[900];
        for (int i = 0; i < 600; i++)
            scratch[i] = guest.bill[i] + i;
        guest.bill[1] = scratch[300];
        call.cancel(false);
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
