import java.util.HashMap;
import java.util.Map;

/** Live objects fill all of the heap but what G1 keeps back, and a thread makes garbage in what is left. */
public class Sower {
    private final Map<Integer, byte[]> barn = new HashMap<>();

    private void store(int sacks) {
        for (int i = 0; i < sacks; i++)
            barn.put(i, new byte[2000]);
    }

    private void sow() {
        for (int row = 0; ; row++) {
            StringBuilder furrow = new StringBuilder();
            for (int i = 0; i < 40; i++)
                furrow.append("seed ").append(row).append(' ').append(i).append('\n');
            barn.put(row % 1000, new byte[2000 + furrow.length() % 2]);
        }
    }

    public static void main(String[] args) throws Exception {
        Sower sower = new Sower();
        sower.store(Integer.parseInt(args[0]));
        new Thread(sower::sow, "t-1").start();
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
