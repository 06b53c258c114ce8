import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A scheduled job defines a class anew in a fresh loader, again and again, and drops none. */
public class Moulds {
    private static final int MOST = 8000;
    private final Deque<Callable<?>> casts = new ArrayDeque<>();
    private final byte[] code;

    Moulds(byte[] code) {
        this.code = code;
    }

    public static class Cast implements Callable<String> {
        private static int made;

        @Override
        public String call() {
            return "cast " + made++;
        }
    }

    private static final class Shop extends ClassLoader {
        Class<?> form(byte[] code) {
            return defineClass("Moulds$Cast", code, 0, code.length);
        }
    }

    private void pour() {
        try {
            for (int i = 0; i < 10 && casts.size() < MOST; i++) {
                Callable<?> cast = (Callable<?>) new Shop().form(code).getConstructor().newInstance();
                cast.call();
                casts.add(cast);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] read(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = Moulds.class.getResourceAsStream(name)) {
            for (int b = in.read(); b >= 0; b = in.read()) {
                bytes.write(b);
            }
        }
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService works = Executors.newSingleThreadScheduledExecutor();
        works.scheduleAtFixedRate(new Moulds(read("Moulds$Cast.class"))::pour, 0, 50, TimeUnit.MILLISECONDS);
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
