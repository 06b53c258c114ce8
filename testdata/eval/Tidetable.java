import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The latest figures of each harbour take the place of older ones, which have grown old by then; nothing is ever taken out. */
public class Tidetable {
    private static final List<String> HARBOURS = new ArrayList<>();

    static class Table {
        private final Map<String, int[]> latest = new HashMap<>();

        void note(String harbour, int[] figures) {
            latest.put(harbour, figures);
        }
    }

    private static void gauge(Table table) {
        Random random = new Random(5);
        try {
            while (true) {
                for (int i = 0; i < 20; i++) {
                    int[] figures = new int[4000];
                    figures[random.nextInt(4000)] = i;
                    table.note(HARBOURS.get(random.nextInt(HARBOURS.size())), figures);
                }
                Thread.sleep(12);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 900; i++)
            HARBOURS.add("harbour " + i);
        Table table = new Table();
        Thread gauger = new Thread(() -> gauge(table), "t-1");
        gauger.start();
        Thread.sleep(5000);
        System.out.println("READY");
        gauger.join();
    }
}
