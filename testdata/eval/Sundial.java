import java.util.Timer;
import java.util.TimerTask;

/** A Timer's task wants a monitor whose owner waits for a child process; the Timer's other tasks are late. */
public class Sundial {
    private int hour;

    synchronized void shade() {
        hour++;
    }

    synchronized void repair() throws Exception {
        hour = measure();
    }

    private int measure() throws Exception {
        Process ruler = new ProcessBuilder("cat").start();
        return ruler.waitFor();
    }

    static TimerTask task(Runnable body) {
        return new TimerTask() {
            @Override
            public void run() {
                body.run();
            }
        };
    }

    public static void main(String[] args) throws Exception {
        Sundial dial = new Sundial();
        new Thread(() -> {
            try {
                dial.repair();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, "t-1").start();
        Thread.sleep(400);
        Timer sun = new Timer("x-1", true);
        sun.schedule(task(dial::shade), 0, 100);
        sun.schedule(task(() -> System.out.println("noon")), 50, 100);
        Thread.sleep(400);
        System.out.println("READY");
    }
}
