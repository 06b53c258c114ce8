import java.io.FileInputStream;
import java.util.ArrayList;
import java.util.List;

/** Opens files until there is no descriptor left. */
public class Cistern {
    static final List<FileInputStream> OPEN = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        try {
            while (true) {
                OPEN.add(new FileInputStream("/proc/self/stat"));
            }
        } catch (java.io.IOException full) {
            System.out.println("READY");
        }
        Thread.sleep(1_000_000_000L);
    }
}
