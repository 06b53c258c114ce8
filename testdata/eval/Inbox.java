import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** An unbounded queue: its writer is ten times as fast as its reader. */
public class Inbox {
    private static final int MOST = 12_000;
    private final BlockingQueue<Message> queue = new LinkedBlockingQueue<>();

    static class Message {
        private final char[] text;

        Message(int length) {
            text = new char[length];
        }
    }

    private void receive() {
        while (true) {
            if (queue.size() < MOST) {
                queue.add(compose());
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    private Message compose() {
        StringBuilder draft = new StringBuilder();
        while (draft.length() < 20_000) {
            draft.append(draft.length()).append(' ');
        }
        return new Message(draft.toString().length());
    }

    private void answer() {
        try {
            while (queue.take().text.length > 0) {
                Thread.sleep(25);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Inbox inbox = new Inbox();
        new Thread(inbox::answer, "t-1").start();
        new Thread(inbox::receive, "t-2").start();
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
