import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Each of three asks once and waits at an object of its own; who reads the answers has ended at one that it could not read. */
public class Petitioner {
    static class Reply {
        private String text;

        synchronized void bring(String answer) {
            text = answer;
            notify();
        }

        synchronized String take() throws InterruptedException {
            while (text == null)
                wait();
            return text;
        }
    }

    private static final Map<String, Reply> OPEN = new ConcurrentHashMap<>();
    private static final CountDownLatch ASKED = new CountDownLatch(3);

    static class Asker extends Thread {
        private final String key;

        Asker(String name, String key) {
            super(name);
            this.key = key;
        }

        @Override
        public void run() {
            Reply reply = new Reply();
            OPEN.put(key, reply);
            ASKED.countDown();
            try {
                System.err.println(reply.take());
            } catch (InterruptedException e) {
                System.err.println(key);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Asker[] askers = {new Asker("t-1", "a"), new Asker("t-2", "b"), new Asker("t-3", "c")};
        for (Asker asker : askers)
            asker.start();
        ASKED.await();
        Thread reader = new Thread(() -> {
            for (String line : "x|a=1|b=2|c=3".split("\\|")) {
                String[] parts = line.split("=");
                OPEN.get(parts[0]).bring(parts[1]);
            }
        }, "t-4");
        reader.setUncaughtExceptionHandler((t, e) -> System.err.println(e));
        reader.start();
        reader.join();
        Thread.sleep(200);
        System.out.println("READY");
        for (Asker asker : askers)
            asker.join();
    }
}
