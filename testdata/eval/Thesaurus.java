import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** A slow computation inside ConcurrentHashMap.computeIfAbsent holds up everyone who asks for the same key. */
public class Thesaurus {
    private final ConcurrentMap<String, String> cache = new ConcurrentHashMap<>();
    private final Function<String, String> source;

    Thesaurus(Function<String, String> source) {
        this.source = source;
    }

    String synonym(String word) {
        return cache.computeIfAbsent(word, source);
    }

    static String fetch(String word) {
        for (int page = 0; page < 100_000; page++) {
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                return word;
            }
        }
        return word + "ish";
    }

    public static void main(String[] args) throws Exception {
        Thesaurus thesaurus = new Thesaurus(Thesaurus::fetch);
        new Thread(() -> thesaurus.synonym("green"), "t-1").start();
        Thread.sleep(200);
        for (int i = 2; i <= 4; i++) {
            new Thread(() -> thesaurus.synonym("green"), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
