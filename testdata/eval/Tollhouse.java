import java.util.LinkedHashMap;
import java.util.Map;

/** A class makes one of its subclass while another thread, on the way into that, waits for it; a third one waits as well. */
public class Tollhouse {
    static class Fare {
        static final Map<String, Fare> ALL = new LinkedHashMap<>();

        static {
            ALL.put("cart", new Fare(3));
            pause(600);
            ALL.put("wagon", new Heavy(7));
        }

        final int pence;

        Fare(int pence) {
            this.pence = pence;
        }

        static int of(String name) {
            return ALL.get(name).pence;
        }
    }

    static class Heavy extends Fare {
        static final int AXLE = Integer.parseInt("2");

        Heavy(int pence) {
            super(pence + AXLE);
        }

        static int axles(int n) {
            return n * AXLE;
        }
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void passCart() {
        System.out.println(Fare.of("cart"));
    }

    static void passWagon() {
        System.out.println(Heavy.axles(2));
    }

    static void passGig() {
        System.out.println(Fare.of("gig"));
    }

    public static void main(String[] args) {
        new Thread(Tollhouse::passCart, "t-1").start();
        pause(200);
        new Thread(Tollhouse::passWagon, "t-2").start();
        pause(200);
        new Thread(Tollhouse::passGig, "t-3").start();
        pause(1000);
        System.out.println("READY");
    }
}
