import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** A hundred times a second a proxy class in a class loader of its own, and all are kept. */
public class Masks {
    private static final int MOST = 8000;
    private final List<Shop> shops = new ArrayList<>();
    private final List<Object> shelf = new ArrayList<>();

    private Masks() {
        for (int i = 0; i < MOST; i++) {
            shops.add(new Shop());
        }
    }

    public interface Face {
        String name();

        int age(int year);
    }

    private static final class Shop extends ClassLoader {
        Shop() {
            super(Masks.class.getClassLoader());
        }
    }

    private void carve() {
        shelf.add(Proxy.newProxyInstance(shops.get(shelf.size()), new Class<?>[] {Face.class}, (proxy, method, a) -> null));
    }

    private void season() {
        try {
            while (shelf.size() < MOST) {
                carve();
                Thread.sleep(10);
            }
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        new Thread(new Masks()::season, "t-1").start();
        Thread.sleep(1000);
        System.out.println("READY");
    }
}
