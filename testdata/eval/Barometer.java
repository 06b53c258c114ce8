import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The last readings of each place are kept, two hundred of them, and older ones let go of; nothing of it is garbage at once. */
public class Barometer {
    private static final int PLACES = 40, KEPT = 200;

    static class Reading {
        final int[] values = new int[150];
        final List<String> remarks = new ArrayList<>();

        Reading(Random random) {
            for (int i = 0; i < values.length; i++)
                values[i] = random.nextInt(100);
            remarks.add("mean " + values[0]);
        }
    }

    static class Place {
        private final Map<Long, Reading> last = new LinkedHashMap<>();
        private long next;

        void note(Reading r) {
            last.put(next++, r);
            if (last.size() > KEPT)
                last.remove(next - KEPT - 1);
        }
    }

    private static void watch(List<Place> places) {
        Random random = new Random(3);
        try {
            while (true) {
                for (Place place : places)
                    place.note(new Reading(random));
                Thread.sleep(3);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < PLACES; i++)
            places.add(new Place());
        Thread watcher = new Thread(() -> watch(places), "t-1");
        watcher.start();
        Thread.sleep(5000);
        System.out.println("READY");
        watcher.join();
    }
}
