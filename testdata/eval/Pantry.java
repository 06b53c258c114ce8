import java.util.HashMap;
import java.util.Map;

/** A thread sleeps inside a synchronized method that four others want to enter. */
public class Pantry {
    private final Map<String, Integer> shelf = new HashMap<>();

    synchronized int take(String item) {
        return shelf.merge(item, -1, Integer::sum);
    }

    synchronized void restock(String item) {
        if (!shelf.containsKey(item)) {
            order(item);
        }
        shelf.put(item, 12);
    }

    private void order(String item) {
        for (int attempt = 0; attempt < 1000; attempt++) {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Pantry pantry = new Pantry();
        new Thread(() -> pantry.restock("rice"), "t-1").start();
        Thread.sleep(200);
        for (int i = 2; i <= 5; i++) {
            new Thread(() -> pantry.take("rice"), "t-" + i).start();
        }
        Thread.sleep(300);
        System.out.println("READY");
    }
}
