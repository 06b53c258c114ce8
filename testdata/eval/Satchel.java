import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A thread took a ReentrantLock and ended without giving it back; everyone else waits for good. */
public class Satchel {
    private final ReentrantLock strap = new ReentrantLock();
    private final List<String> letters = new ArrayList<>();

    void add(String letter) {
        strap.lock();
        if (letter.isEmpty()) {
            return;
        }
        letters.add(letter);
        strap.unlock();
    }

    public static void main(String[] args) throws Exception {
        Satchel satchel = new Satchel();
        Thread first = new Thread(() -> satchel.add(""), "t-1");
        first.start();
        first.join();
        for (int i = 2; i <= 4; i++) {
            new Thread(() -> satchel.add("dear"), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
