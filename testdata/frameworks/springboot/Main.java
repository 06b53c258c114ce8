import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Spring Boot with Tomcat, HikariCP and H2. The fault: two transactions keep the two connections while they sleep, all
 * other requests wait for one.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@EnableAsync
@Import({Main.Shop.class, Main.Till.class, Main.Clock.class})
public class Main {
    @RestController
    static class Shop {
        private final JdbcTemplate jdbc;
        private final Till till;
        private final Clock clock;

        Shop(JdbcTemplate jdbc, Till till, Clock clock) {
            this.jdbc = jdbc;
            this.till = till;
            this.clock = clock;
        }

        @GetMapping("/list")
        Integer list() {
            clock.note();
            return jdbc.queryForObject("select 1", Integer.class);
        }

        @GetMapping("/pay")
        Integer pay() throws InterruptedException {
            return till.pay();
        }
    }

    static class Till {
        private final JdbcTemplate jdbc;

        Till(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        public Integer pay() throws InterruptedException {
            Integer paid = jdbc.queryForObject("select 2", Integer.class);
            confirm();
            return paid;
        }

        private void confirm() throws InterruptedException {
            Thread.sleep(3_600_000);
        }
    }

    static class Clock {
        private final AtomicInteger ticks = new AtomicInteger();

        @Scheduled(fixedDelay = 3_600_000)
        public void tick() {
            ticks.incrementAndGet();
        }

        @Async
        public void note() {
            ticks.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        SpringApplication application = new SpringApplication(Main.class);
        application.setDefaultProperties(Map.of(
                "server.address", "127.0.0.1",
                "server.port", 0,
                "server.tomcat.threads.max", 8,
                "server.tomcat.threads.min-spare", 4,
                "spring.main.banner-mode", "off",
                "logging.level.root", "warn",
                "spring.datasource.url", "jdbc:h2:mem:shop",
                "spring.datasource.hikari.maximum-pool-size", 2,
                "spring.datasource.hikari.connection-timeout", 3_600_000));
        ConfigurableApplicationContext context = application.run(args);
        int port = ((ServletWebServerApplicationContext) context).getWebServer().getPort();
        for (int i = 0; i < 4; i++) {
            Caller.get(port, "/list");
        }
        if (args[0].equals("fault")) {
            Caller.send(port, "/pay", 2);
            Thread.sleep(1000);
            Caller.send(port, "/list", 8);
            Thread.sleep(1000);
        }
        System.out.println("READY");
    }
}
