import java.util.*;
import java.util.concurrent.*;

/** Storefront sessions that show live stock figures; the board tells them when a figure changes. */
public class StockBoard {

    interface StockListener {
        void changed(int sku, int onHand);
    }

    static final class Board {
        private final List<StockListener> listeners = new ArrayList<>();
        private final int[] onHand = new int[4000];

        void subscribe(StockListener l) {
            synchronized (listeners) {
                listeners.add(l);
            }
        }

        void unsubscribe(StockListener l) {
            synchronized (listeners) {
                listeners.remove(l);
            }
        }

        void book(int sku, int delta) {
            int now = onHand[sku] += delta;
            List<StockListener> copy;
            synchronized (listeners) {
                copy = new ArrayList<>(listeners);
            }
            for (StockListener l : copy) l.changed(sku, now);
        }

        int size() {
            synchronized (listeners) {
                return listeners.size();
            }
        }
    }

    /** One shopper's open product list, with the figures last shown. */
    static final class ProductList {
        private final long sessionId;
        private final int[] skus;
        private final int[] figures;
        private final byte[] rendered;
        private int updates;

        ProductList(long sessionId, Random r) {
            this.sessionId = sessionId;
            skus = r.ints(120, 0, 4000).toArray();
            figures = new int[skus.length];
            rendered = new byte[20 * 1024];
            Arrays.fill(rendered, (byte) ' ');
        }

        void onStock(int sku, int onHand) {
            for (int i = 0; i < 4; i++) {
                if (skus[i] == sku) {
                    figures[i] = onHand;
                    updates++;
                }
            }
        }
    }

    static final class Sessions {
        private final Board board;
        private final Deque<ProductList> open = new ArrayDeque<>();
        private final Random random = new Random(3);
        private long nextId;

        Sessions(Board board) { this.board = board; }

        void open() {
            ProductList list = new ProductList(++nextId, random);
            board.subscribe(list::onStock);
            open.addLast(list);
            if (open.size() > 150) close(open.removeFirst());
        }

        private void close(ProductList list) {
            board.unsubscribe(list::onStock);
        }

        void acceptLoop() {
            long next = System.nanoTime();
            try {
                while (true) {
                    for (int i = 0; i < 10; i++) open();
                    next += 50_000_000L;
                    long pause = (next - System.nanoTime()) / 1_000_000L;
                    if (pause > 0) Thread.sleep(pause);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Renders landing pages; every page is sent and forgotten. */
    static final class PageRenderer implements Runnable {
        private long bytes;

        @Override public void run() {
            try {
                for (int n = 0; ; n++) {
                    for (int i = 0; i < 30; i++) bytes += page(n + i).length();
                    Thread.sleep(20);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private String page(int n) {
            StringBuilder sb = new StringBuilder();
            for (int row = 0; row < 260; row++) {
                sb.append("<li class=offer id=").append(n).append('-').append(row).append(">today only</li>\n");
            }
            return sb.toString();
        }
    }

    static void bookings(Board board) {
        Random r = new Random(8);
        try {
            while (true) {
                board.book(r.nextInt(4000), r.nextInt(5) - 2);
                Thread.sleep(200);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Board board = new Board();
        Sessions sessions = new Sessions(board);
        new Thread(sessions::acceptLoop, "storefront-accept").start();
        new Thread(new PageRenderer(), "page-render").start();
        new Thread(() -> bookings(board), "stock-booking").start();
        ExecutorService mail = Executors.newFixedThreadPool(2, t -> new Thread(t, "mail"));
        mail.submit(() -> 1);
        mail.submit(() -> 2);
        while (board.size() < 1800) Thread.sleep(100);
        System.out.println("READY");
        System.out.flush();
    }
}
