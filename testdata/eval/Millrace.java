import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.zip.CRC32;

/** Five threads at five different computations have one core between them. */
public class Millrace {
    private static void sum() {
        CRC32 crc = new CRC32();
        byte[] wheat = new byte[8192];
        while (crc.getValue() >= 0) {
            crc.update(wheat, 0, wheat.length);
        }
    }

    private static void sort() {
        int[] sacks = new int[5000];
        for (int round = 1; round > 0; round++) {
            for (int i = 0; i < sacks.length; i++) {
                sacks[i] = (i * 7919) ^ round;
            }
            Arrays.sort(sacks);
        }
    }

    private static void divide() {
        BigDecimal stone = BigDecimal.ONE;
        while (stone.signum() > 0) {
            stone = BigDecimal.ONE.divide(stone.add(BigDecimal.valueOf(3)), new MathContext(200));
        }
    }

    private static void trace() {
        double angle = 0;
        while (!Double.isNaN(angle)) {
            angle = Math.atan2(Math.sin(angle + 1), Math.cos(angle + 2));
        }
    }

    private static void join() {
        long length = 0;
        while (length >= 0) {
            length += String.join("-", "a", Long.toString(length), "b").length();
        }
    }

    public static void main(String[] args) throws Exception {
        Runnable[] wheels = {Millrace::sum, Millrace::sort, Millrace::divide, Millrace::trace, Millrace::join};
        for (int i = 0; i < wheels.length; i++) {
            new Thread(wheels[i], "t-" + (i + 1)).start();
        }
        Thread.sleep(800);
        System.out.println("READY");
    }
}
