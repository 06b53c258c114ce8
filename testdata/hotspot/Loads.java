import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;

/** Loads: classes that are loaded, initialised and called, or not; of loaders with and without a name. */
public final class Loads {
    static Object kept;
    static volatile int sum;
    static volatile boolean warm;

    /** Counts its calls. */
    public static class Used {
        final int id;

        public Used(int id) {
            this.id = id;
        }

        public int called(int n) {
            return n + id;
        }

        public int uncalled(int n) {
            return n - id;
        }

        public static int uncalledToo(String s, long[] n) {
            return s.length() + n.length;
        }

        public native void uncalledNative();
    }

    /** Calls twin only once it is compiled, which may have made twin a part of it. */
    static int hot(int n) {
        return warm ? twin(n) : n + 1;
    }

    static int twin(int n) {
        return n + 2;
    }

    static class LoadedOnly {
        static final Object FIELD = new Object();

        int uncalled() {
            return 1;
        }
    }

    static class InitialisedOnly {
        static Object field = Loads.class;

        int uncalled() {
            return 1;
        }
    }

    static class Failing {
        static int field = Integer.parseInt("x");
    }

    interface Implemented {
        int called(int n);
    }

    interface NotImplemented {
        int uncalled(int n);
    }

    static class Implementation extends Used implements Implemented {
        Implementation() {
            super(3);
        }
    }

    static class Initialising {
        static final Object STARTED = waitHere();

        static Object waitHere() {
            try {
                Thread.sleep(3_600_000);
            } catch (InterruptedException e) {
                return null;
            }
            return "";
        }
    }

    /** Defines a class itself that its parent has too. */
    static final class Own extends ClassLoader {
        final String name = "not the name of the loader";

        Class<?> define(String name) throws Exception {
            try (InputStream in = Loads.class.getResourceAsStream(name + ".class")) {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                byte[] part = new byte[4096];
                for (int n; (n = in.read(part)) > 0; ) {
                    all.write(part, 0, n);
                }
                return defineClass(name, all.toByteArray(), 0, all.size());
            }
        }
    }

    static Class<?> load(String name) throws Exception {
        return Class.forName(name, false, Loads.class.getClassLoader());
    }

    static Object named(String loader) throws Exception {
        URL[] here = {Loads.class.getProtectionDomain().getCodeSource().getLocation()};
        try {
            Constructor<?> c = URLClassLoader.class.getConstructor(String.class, URL[].class, ClassLoader.class);
            return Class.forName("Loads$Used", false, (ClassLoader) c.newInstance(loader, here, null));
        } catch (NoSuchMethodException e) { // 8
            return Class.forName("Loads$Used", false, new URLClassLoader(here, null));
        }
    }

    public static void main(String[] args) throws Exception {
        Runnable lambda = () -> sum++;
        lambda.run();
        Used used = new Implementation();
        for (int i = 0; i < 20_000; i++) {
            sum += used.called(i) + hot(i);
        }
        warm = true;
        sum += hot(1);
        Object[] classes = {
            load("Loads$LoadedOnly"), load("Loads$NotImplemented"), InitialisedOnly.field,
            new Used[1][1], named("plugins"), new Own().define("Loads$Used"),
            new Own().define("Loads$Used").getConstructor(int.class).newInstance(1),
        };
        kept = classes;
        try {
            sum += Failing.field;
        } catch (ExceptionInInitializerError e) {
            sum++;
        }
        Thread starts = new Thread(() -> kept = new Object[] {classes, Initialising.STARTED}, "starts");
        starts.setDaemon(true);
        starts.start();
        while (starts.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        System.out.println("READY");
        Thread.sleep(3_600_000);
    }
}
