import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Much code is run for the first time, each method compiled at once: the compiler works, the caller waits for it. */
public class Engraver {
    public static class Plate implements DoubleUnaryOperator {
        @Override
        public double applyAsDouble(double x) {
            return cut(etch(x)) + cut(etch(x + 1)) + etch(cut(x)) + etch(cut(x + 2));
        }

        private static double etch(double x) {
            double[] line = new double[16];
            for (int i = 0; i < line.length; i++) {
                line[i] = (x - i) * (i % 3 == 0 ? x : i);
            }
            for (int i = 1; i < line.length; i++) {
                line[i] += line[i - 1] * 0.5;
            }
            for (int i = 0; i < line.length; i += 2) {
                line[i] -= line[i + 1] / (1 + x * x);
            }
            double sum = 0;
            for (double v : line) {
                sum += v;
            }
            return sum;
        }

        private static double cut(double x) {
            long bits = (long) (x * 1e9);
            long mixed = 0;
            for (int i = 0; i < 8; i++) {
                switch ((int) (bits >>> (i * 8)) & 7) {
                    case 0: mixed += bits ^ i; break;
                    case 1: mixed -= bits >>> i; break;
                    case 2: mixed ^= bits << i; break;
                    case 3: mixed *= 31 + i; break;
                    case 4: mixed = (mixed << i) | (mixed >>> (64 - i)); break;
                    case 5: mixed += bits & 255; break;
                    case 6: mixed ^= mixed >>> 7; break;
                    default: mixed += i; break;
                }
            }
            long[] groove = new long[12];
            for (int i = 0; i < groove.length; i++) {
                for (int j = 0; j <= i; j++) {
                    groove[i] += (mixed >>> j) * (j % 3 == 0 ? 5 : 9);
                }
            }
            for (int i = 0; i < groove.length; i++) {
                mixed += groove[groove.length - 1 - i] ^ i;
            }
            return mixed * 1e-18;
        }
    }

    private static final class Press extends ClassLoader {
        Class<?> print(byte[] code) {
            return defineClass("Engraver$Plate", code, 0, code.length);
        }
    }

    private static double work(Class<?> form) {
        try {
            DoubleUnaryOperator plate = (DoubleUnaryOperator) form.getConstructor().newInstance();
            double ink = 0;
            for (int i = 0; i < 3; i++) {
                ink += plate.applyAsDouble(i);
            }
            return ink;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] read(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = Engraver.class.getResourceAsStream(name)) {
            for (int b = in.read(); b >= 0; b = in.read()) {
                bytes.write(b);
            }
        }
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        byte[] code = read("Engraver$Plate.class");
        List<Class<?>> forms = new ArrayList<>();
        for (int i = 0; i < 8000; i++) {
            forms.add(new Press().print(code));
        }
        new Thread(() -> {
            double ink = 0;
            for (Class<?> form : forms) {
                ink += work(form);
            }
            System.out.println(ink);
        }, "t-1").start();
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
