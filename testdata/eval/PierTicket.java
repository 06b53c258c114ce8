import java.util.*;
import java.util.concurrent.atomic.*;

public class PierTicket {
    static final class Ticket {
        final int number;
        final String text;
        Ticket(int number, String text) { this.number = number; this.text = text; }
    }

    static final class Roll {
        private final AtomicReference<Integer> next = new AtomicReference<>(100);
        Ticket tear(String pier) {
            for (;;) {
                int number = next.get();
                if (next.compareAndSet(number, number + 1)) {
                    return new Ticket(number, pier + "/" + number * 7 % 97);
                }
                Thread.yield();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (String pier : Arrays.asList("t-1", "t-2")) {
            Roll roll = new Roll();
            int pause = pier.equals("t-1") ? 20 : 2000; // the second roll ends long after the first
            new Thread(() -> {
                long sum = 0;
                try {
                    while (sum >= 0) {
                        sum += roll.tear(pier).number;
                        Thread.sleep(pause);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, pier).start();
        }
        Thread.sleep(2000);
        System.out.println("READY");
    }
}
