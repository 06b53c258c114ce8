package com.acme.inventory;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Stock levels in a Spring context. The stock bean waits in its initialisation until the feed brought a first delivery. */
public class InventoryApp {
    @Configuration
    static class Beans {
        @Bean
        Deliveries deliveries() {
            return new Deliveries();
        }

        @Bean
        StockFeed feed(BeanFactory beans, Deliveries deliveries) {
            return new StockFeed(beans, deliveries);
        }

        @Bean
        Stock stock(StockFeed feed, Deliveries deliveries) {
            return new Stock(deliveries);
        }

        @Bean
        @Lazy
        DeliveryParser parser() {
            return new DeliveryParser();
        }
    }

    /** Deliveries that were read and not yet counted. */
    static class Deliveries {
        final BlockingQueue<Map<String, Integer>> queue = new LinkedBlockingQueue<>(100);
    }

    static class DeliveryParser {
        Map<String, Integer> parse(String line) {
            String[] parts = line.split(";");
            return Map.of(parts[0], Integer.parseInt(parts[1]));
        }
    }

    static class StockFeed implements InitializingBean {
        private final BeanFactory beans;
        private final Deliveries deliveries;

        StockFeed(BeanFactory beans, Deliveries deliveries) {
            this.beans = beans;
            this.deliveries = deliveries;
        }

        @Override
        public void afterPropertiesSet() {
            new Thread(this::read, "stock-feed").start();
        }

        private void read() {
            try {
                for (String line : List.of("bolt-m8;400", "nut-m8;380", "washer-m8;1200")) {
                    Thread.sleep(300);
                    deliveries.queue.put(beans.getBean(DeliveryParser.class).parse(line));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Stock implements InitializingBean {
        private final Deliveries deliveries;
        private final Map<String, Integer> levels = new ConcurrentHashMap<>();

        Stock(Deliveries deliveries) {
            this.deliveries = deliveries;
        }

        @Override
        public void afterPropertiesSet() throws InterruptedException {
            levels.putAll(deliveries.queue.take());
        }
    }

    public static void main(String[] args) {
        Readiness.watch();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Beans.class)) {
            System.out.println("started " + context.getBeanDefinitionCount() + " beans");
        }
    }
}

/** Says READY when the start of the context does not go on any more; main does not come to it. Its thread ends then. */
final class Readiness {
    private Readiness() {
    }

    static void watch() {
        Thread starter = Thread.currentThread();
        Thread thread = new Thread(() -> {
            try {
                while (starter.getState() != Thread.State.WAITING || !feedIsBlocked()) {
                    Thread.sleep(500);
                }
                System.out.println("READY");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "readiness");
        thread.setDaemon(true);
        thread.start();
    }

    private static boolean feedIsBlocked() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("stock-feed") && thread.getState() == Thread.State.BLOCKED);
    }
}
