import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** Translates wire copy; the agency glossary is read once at start by a loader. */
public class WireDesk {

    static final class Glossary {
        private final Map<String, String> terms = new HashMap<>();
        private boolean loaded;
        private int interested;

        synchronized void publish(Map<String, String> content) {
            terms.putAll(content);
            loaded = true;
            notify();
        }

        String lookup(String term) throws InterruptedException {
            synchronized (this) {
                interested++;
                while (!loaded) {
                    wait();
                }
                return terms.getOrDefault(term, term);
            }
        }

        synchronized int interested() {
            return interested;
        }
    }

    static final class Loader implements Runnable {
        private final Glossary glossary;

        Loader(Glossary glossary) {
            this.glossary = glossary;
        }

        @Override
        public void run() {
            Map<String, String> content = new HashMap<>();
            for (int i = 0; i < 5000; i++) {
                content.put("term" + i, "begriff" + i);
            }
            glossary.publish(content);
            System.out.println("glossary: " + content.size() + " terms");
        }
    }

    static final class Translator {
        private final Glossary glossary;
        private final AtomicLong words = new AtomicLong();

        Translator(Glossary glossary) {
            this.glossary = glossary;
        }

        String translate(String story) throws InterruptedException {
            StringBuilder out = new StringBuilder();
            for (String w : story.split(" ")) {
                out.append(glossary.lookup(w)).append(' ');
                words.incrementAndGet();
            }
            return out.toString();
        }
    }

    static final class Desk implements Runnable {
        private final String language;
        private final Translator translator;
        private final BlockingQueue<String> outbox;

        Desk(String language, Translator translator, BlockingQueue<String> outbox) {
            this.language = language;
            this.translator = translator;
            this.outbox = outbox;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; ; i++) {
                    String text = translator.translate("term" + i + " rises after term" + (i * 7 % 5000));
                    outbox.offer(language + ":" + text);
                    Thread.sleep(120);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Glossary glossary = new Glossary();
        BlockingQueue<String> outbox = new LinkedBlockingQueue<>(500);
        Map<String, Translator> translators = new LinkedHashMap<>();
        List<Thread> desks = new ArrayList<>();
        for (String l : List.of("german", "french", "spanish", "polish")) {
            Translator tr = new Translator(glossary);
            translators.put(l, tr);
            Thread t = new Thread(new Desk(l, tr, outbox), "desk-" + l);
            desks.add(t);
            t.start();
        }
        Thread sender = new Thread(() -> {
            try {
                long sent = 0;
                while (true) {
                    sent += outbox.take().length();
                    if (sent % 50_000 == 0) {
                        System.out.println("sent " + sent);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "wire-sender");
        sender.setDaemon(true);
        sender.start();

        while (glossary.interested() < 4 || desks.stream().anyMatch(t -> t.getState() != Thread.State.WAITING)) {
            Thread.sleep(20);
        }
        Thread loader = new Thread(new Loader(glossary), "glossary-loader");
        loader.start();
        loader.join();
        while (translators.values().stream().mapToLong(t -> t.words.get()).sum() < 12) {
            Thread.sleep(50);
        }
        System.out.println("READY");
        System.out.flush();
    }
}
