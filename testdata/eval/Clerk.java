import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Duplicates are looked for in a list, item by item: quadratic in its length. */
public class Clerk {
    private final List<String> register = new ArrayList<>();

    private int enter(int names) {
        int twins = 0;
        for (int i = 0; i < names; i++) {
            if (known("name-" + i)) {
                twins++;
            } else {
                register.add("name-" + i);
            }
        }
        return twins;
    }

    private boolean known(String name) {
        return register.contains(name);
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Clerk clerk = new Clerk();
        Future<Integer> twice = pool.submit(() -> clerk.enter(5_000_000));
        Thread.sleep(1000);
        System.out.println("READY");
        System.out.println(twice.get());
    }
}
