import java.math.BigInteger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The only two workers compute without end; four callers wait for short tasks queued behind them. */
public class Tannery {
    private final ExecutorService vats = Executors.newFixedThreadPool(2);

    static BigInteger soak(int bits) {
        BigInteger hide = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
        BigInteger base = BigInteger.valueOf(3);
        while (hide.signum() > 0) {
            base = base.modPow(BigInteger.valueOf(65537), hide).add(BigInteger.ONE);
        }
        return base;
    }

    void sell() {
        Future<String> leather = vats.submit(() -> "belt");
        try {
            System.out.println(leather.get());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Tannery tannery = new Tannery();
        tannery.vats.submit(() -> soak(2048));
        tannery.vats.submit(() -> soak(4096));
        for (int i = 1; i <= 4; i++) {
            new Thread(tannery::sell, "t-" + i).start();
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}
