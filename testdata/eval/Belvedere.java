import java.util.ArrayList;
import java.util.List;

/** Four wait for the view to be open; one of them is woken when it is, and the thread that opened it has ended. */
public class Belvedere {
    static class View {
        private boolean open;

        synchronized void awaitOpen() throws InterruptedException {
            while (!open) {
                wait();
            }
        }

        synchronized void unlock() {
            open = true;
            notify();
        }
    }

    static class Guest implements Runnable {
        private final View view;
        private long seen;

        Guest(View view) {
            this.view = view;
        }

        @Override
        public void run() {
            try {
                view.awaitOpen();
                seen++;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        View view = new View();
        List<Thread> guests = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            Thread t = new Thread(new Guest(view), "t-" + i);
            t.start();
            guests.add(t);
        }
        Thread.sleep(500);
        Thread porter = new Thread(view::unlock, "u");
        porter.start();
        porter.join();
        Thread.sleep(500);
        System.out.println("READY");
        for (Thread t : guests) {
            t.join();
        }
    }
}
