import java.util.HashSet;
import java.util.Set;

/** Who comes in is written down and who leaves is struck off, by an entry that equals no other; most of what is made is garbage. */
public class Guildbook {
    static class Entry {
        private final String name;
        private final int[] dues = new int[300];

        Entry(String name) {
            this.name = name;
            dues[0] = name.length();
        }
    }

    static class Book {
        private final Set<Entry> present = new HashSet<>();
        private int struck;

        void enter(String name) {
            present.add(new Entry(name));
        }

        void leave(String name) {
            Entry gone = new Entry(name);
            if (present.remove(gone))
                struck++;
        }
    }

    private static void keep(Book book) {
        try {
            for (int day = 0; ; day++) {
                for (int i = 0; i < 60; i++)
                    book.enter("member " + day + " " + i);
                for (int i = 0; i < 60; i++)
                    book.leave("member " + day + " " + i);
                Thread.sleep(8);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Book book = new Book();
        Thread clerk = new Thread(() -> keep(book), "t-1");
        clerk.start();
        Thread.sleep(5000);
        System.out.println("READY");
        clerk.join();
    }
}
