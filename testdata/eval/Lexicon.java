import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Two computations inside a ConcurrentHashMap each look up the key that the other one is computing. */
public class Lexicon {
    private final ConcurrentHashMap<Integer, String> words = new ConcurrentHashMap<>(64);
    private final CountDownLatch both = new CountDownLatch(2);

    String word(int key) {
        return words.computeIfAbsent(key, this::define);
    }

    private String define(int key) {
        both.countDown();
        try {
            both.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "see " + word(3 - key);
    }

    public static void main(String[] args) throws Exception {
        Lexicon lexicon = new Lexicon();
        new Thread(() -> lexicon.word(1), "t-1").start();
        new Thread(() -> lexicon.word(2), "t-2").start();
        lexicon.both.await();
        Thread.sleep(400);
        System.out.println("READY");
    }
}
