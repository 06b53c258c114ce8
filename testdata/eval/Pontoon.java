import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Semaphore;

/** Moorings are lost with an exception; beside the boats there are a lamp that blinks and a quiet line. */
public class Pontoon {
    private final Semaphore moorings = new Semaphore(2);
    private volatile long blinks;

    void moor(int boat) throws InterruptedException {
        moorings.acquire();
        unload(boat, new int[2]);
        moorings.release();
    }

    private void unload(int boat, int[] crates) {
        crates[boat]++;
    }

    void ferry(int boat) {
        while (true) {
            try {
                moor(boat);
            } catch (ArrayIndexOutOfBoundsException e) {
                boat++;
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    void blink() {
        while (true) {
            blinks++;
            try {
                Thread.sleep(30_000);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    void listen(Socket line) {
        try {
            System.out.println(line.getInputStream().read());
        } catch (java.io.IOException e) {
            System.out.println("the line is cut");
        }
    }

    public static void main(String[] args) throws Exception {
        Pontoon pontoon = new Pontoon();
        ServerSocket shore = new ServerSocket(0);
        Socket line = new Socket(shore.getInetAddress(), shore.getLocalPort());
        Socket far = shore.accept();
        for (int i = 0; i < 4; i++) {
            int boat = i + 2;
            new Thread(() -> pontoon.ferry(boat), "t-" + (i + 1)).start();
        }
        new Thread(pontoon::blink, "t-5").start();
        new Thread(() -> pontoon.listen(far), "t-6").start();
        Thread.sleep(300);
        System.out.println("READY");
        Thread.sleep(3_600_000);
        line.close();
    }
}
