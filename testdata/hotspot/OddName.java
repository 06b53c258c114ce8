import java.io.ByteArrayOutputStream;
import java.io.InputStream;

/** OddName: a loader defines two classes, of which one has a control character in its name. */
final class OddName extends ClassLoader {
    static final class Odd_Name { }

    static final class Usual { }

    public static void main(String[] args) throws Exception {
        OddName loader = new OddName();
        Class<?>[] defined = {loader.define("OddName$Usual"), loader.define("OddName$Odd_Name")};
        for (Class<?> c : defined) {
            c.getDeclaredConstructors();
        }
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
        System.out.println(defined.length);
    }

    private Class<?> define(String name) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream in = OddName.class.getResourceAsStream(name + ".class")) {
            for (int b = in.read(); b >= 0; b = in.read()) {
                out.write(b);
            }
        }
        byte[] bytes = new String(out.toByteArray(), "ISO-8859-1").replace("Odd_Name", "Odd\001Name").getBytes("ISO-8859-1");
        return defineClass(null, bytes, 0, bytes.length);
    }
}
