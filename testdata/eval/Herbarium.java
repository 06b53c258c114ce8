import java.util.ArrayList;
import java.util.List;

/** Keeps a small part of all that it makes, for ever. */
public class Herbarium {
    static final List<long[]> SHEETS = new ArrayList<>();
    static Object scrap;

    static void press(int n) {
        SHEETS.add(new long[2048]);
        for (int i = 0; i < 15; i++) {
            scrap = new long[2048 + n % 3];
        }
    }

    public static void main(String[] args) throws Exception {
        for (int n = 0; ; n++) {
            if (SHEETS.size() < 18000) {
                press(n);
            }
            if (n % 12 == 0) {
                Thread.sleep(10);
            }
            if (n == 4000) {
                System.out.println("READY");
            }
        }
    }
}
