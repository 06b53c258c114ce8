import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** More hot code than the code cache holds; from then on new code runs interpreted. */
public class Bookbinder {
    public static class Quire implements LongUnaryOperator {
        @Override
        public long applyAsLong(long n) {
            return fold(n) + trim(n) + sew(n) + glue(n);
        }

        private static long fold(long n) {
            long a = n;
            for (int i = 0; i < 10; i++) {
                a += a % (i + 2) == 0 ? a >>> 1 : a * 3;
            }
            return a;
        }

        private static long trim(long n) {
            long[] edge = {n, n + 1, n + 2, n + 3};
            for (int i = 0; i < edge.length; i++) {
                edge[i] = edge[(i + 1) & 3] - edge[i];
            }
            return edge[0] ^ edge[3];
        }

        private static long sew(long n) {
            StringBuilder thread = new StringBuilder();
            thread.append(n).append('-').append(n & 15);
            return thread.length();
        }

        private static long glue(long n) {
            return Long.toString(n, 7).hashCode() + Long.numberOfTrailingZeros(n) * 3L;
        }
    }

    private static final class Bench extends ClassLoader {
        Class<?> lay(byte[] code) {
            return defineClass("Bookbinder$Quire", code, 0, code.length);
        }
    }

    private final List<LongUnaryOperator> book = new ArrayList<>();

    private void gather(byte[] code, int quires) throws Exception {
        for (int i = 0; i < quires; i++) {
            book.add((LongUnaryOperator) new Bench().lay(code).getConstructor().newInstance());
        }
    }

    private long bind() {
        long pages = 0;
        for (int i = 0; i < 120; i++) {
            for (LongUnaryOperator quire : book) {
                pages += quire.applyAsLong(i);
            }
        }
        return pages;
    }

    private void day() {
        try {
            while (bind() != 1) {
                Thread.sleep(150);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] read(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = Bookbinder.class.getResourceAsStream(name)) {
            for (int b = in.read(); b >= 0; b = in.read()) {
                bytes.write(b);
            }
        }
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        Bookbinder binder = new Bookbinder();
        binder.gather(read("Bookbinder$Quire.class"), 1000);
        new Thread(binder::day, "t-1").start();
        Thread.sleep(6000);
        System.out.println("READY");
    }
}
