/** A search follows a chain of objects that has become a ring, so it never ends. */
public class Bracelet {
    static class Bead {
        private final String stone;
        private Bead next;

        Bead(String stone, Bead next) {
            this.stone = stone;
            this.next = next;
        }
    }

    private Bead first;

    private boolean has(String stone) {
        for (Bead bead = first; bead != null; bead = bead.next) {
            if (matches(bead, stone)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(Bead bead, String stone) {
        return bead.stone.equals(stone);
    }

    public static void main(String[] args) throws Exception {
        Bracelet bracelet = new Bracelet();
        Bead last = new Bead("jade", null);
        bracelet.first = last;
        for (int i = 0; i < 20; i++) {
            bracelet.first = new Bead("pearl" + i, bracelet.first);
        }
        last.next = bracelet.first;
        new Thread(() -> System.out.println(bracelet.has("opal")), "t-1").start();
        Thread.sleep(300);
        System.out.println("READY");
    }
}
