import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

/** Each session starts a Timer of its own and keeps it when it is over. */
public class Clocks {
    private static final int MOST = 1500;
    private final List<Timer> wall = new ArrayList<>();

    private void session(int number) {
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                wall.get(number).purge();
            }
        }, 3_600_000);
        wall.add(timer);
    }

    public static void main(String[] args) throws Exception {
        Clocks clocks = new Clocks();
        for (int i = 0; i < MOST; i++) {
            clocks.session(i);
            if (i == 20) {
                System.out.println("READY");
            }
            Thread.sleep(50);
        }
        Thread.sleep(Long.MAX_VALUE);
    }
}
