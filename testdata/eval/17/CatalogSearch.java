import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** Product search of the shop front: queries come in from the gateway, handlers answer them. */
public class CatalogSearch {

    /** What the shopper typed and ticked. */
    static final class Query {
        final String text;
        final List<String> facets;
        final int page;

        Query(String text, List<String> facets, int page) {
            this.text = text;
            this.facets = facets;
            this.page = page;
        }

        @Override public String toString() { return text + facets + "#" + page; }
    }

    record Hit(int productId, double score, String snippet) {}

    record ResultPage(int total, List<Hit> hits) {}

    static final class Product {
        final int id;
        final String title;
        final String description;

        Product(int id, String title, String description) {
            this.id = id;
            this.title = title;
            this.description = description;
        }
    }

    static final class Engine {
        private static final String[] WORDS = {"oak", "steel", "lamp", "chair", "garden", "table", "blue", "sofa", "rug",
            "shelf", "mirror", "desk", "glass", "bamboo", "cushion", "outdoor"};
        private final List<Product> products = new ArrayList<>();

        Engine(int size) {
            Random r = new Random(11);
            for (int i = 0; i < size; i++) {
                StringBuilder d = new StringBuilder();
                while (d.length() < 900) d.append(WORDS[r.nextInt(WORDS.length)]).append(' ');
                products.add(new Product(i, WORDS[i % WORDS.length] + ' ' + WORDS[(i / 7) % WORDS.length] + ' ' + i, d.toString()));
            }
        }

        ResultPage search(Query q) {
            List<Hit> candidates = new ArrayList<>();
            for (Product p : products) {
                double s = score(p, q);
                if (s > 0) candidates.add(new Hit(p.id, s, ""));
            }
            candidates.sort(Comparator.comparingDouble(Hit::score).reversed());
            List<Hit> page = new ArrayList<>(22);
            for (int i = 0; i < 22; i++) {
                Hit h = candidates.isEmpty() ? new Hit(i, 0, "") : candidates.get(i % candidates.size());
                page.add(new Hit(h.productId(), h.score(), highlight(products.get(h.productId()), q)));
            }
            return new ResultPage(candidates.size(), page);
        }

        private double score(Product p, Query q) {
            double s = 0;
            for (String term : p.title.split(" ")) {
                if (q.text.contains(term)) s += 1.5;
                if (q.facets.contains(term)) s += 0.5;
            }
            return s;
        }

        private String highlight(Product p, Query q) {
            return "<p>" + p.description.replace(q.facets.get(0), "<b>" + q.facets.get(0) + "</b>") + "</p>";
        }
    }

    static final class SearchService {
        private final Map<Query, ResultPage> recent = new ConcurrentHashMap<>();
        private final Engine engine = new Engine(900);
        final AtomicLong answered = new AtomicLong();

        ResultPage answer(Query q) {
            ResultPage page = recent.get(q);
            if (page == null) {
                page = engine.search(q);
                recent.put(q, page);
            }
            answered.incrementAndGet();
            return page;
        }
    }

    static final class Handler implements Runnable {
        private final BlockingQueue<Query> inbox;
        private final SearchService service;
        private long hits;

        Handler(BlockingQueue<Query> inbox, SearchService service) {
            this.inbox = inbox;
            this.service = service;
        }

        @Override public void run() {
            try {
                while (true) {
                    Query q = inbox.take();
                    hits += service.answer(q).hits().size();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Replays shopper traffic: a few hundred different queries, again and again. */
    static void traffic(BlockingQueue<Query> inbox) {
        Random r = new Random(5);
        long next = System.nanoTime();
        try {
            while (true) {
                for (int i = 0; i < 10; i++) {
                    String a = Engine.WORDS[r.nextInt(Engine.WORDS.length)];
                    String b = Engine.WORDS[r.nextInt(Engine.WORDS.length)];
                    inbox.put(new Query(a + " " + b, List.of(b), 1));
                }
                next += 50_000_000L;
                long pause = (next - System.nanoTime()) / 1_000_000L;
                if (pause > 0) Thread.sleep(pause);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        SearchService service = new SearchService();
        BlockingQueue<Query> inbox = new ArrayBlockingQueue<>(256);
        for (int i = 1; i <= 3; i++) new Thread(new Handler(inbox, service), "search-" + i).start();
        new Thread(() -> traffic(inbox), "http-gateway").start();

        ScheduledExecutorService stats = Executors.newScheduledThreadPool(1, t -> new Thread(t, "stats"));
        stats.scheduleAtFixedRate(() -> service.answered.get(), 1, 1, TimeUnit.SECONDS);
        ExecutorService suggestions = Executors.newFixedThreadPool(2, t -> new Thread(t, "suggest"));
        suggestions.submit(() -> "warm");
        suggestions.submit(() -> "warm");

        while (service.answered.get() < 1800) Thread.sleep(100);
        System.out.println("READY");
        System.out.flush();
    }
}
