package com.acme.audit;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;
import org.apache.logging.log4j.core.config.builder.impl.BuiltConfiguration;

/**
 * Books card payments and writes an audit log with Log4j 2. The log goes to a named pipe, from which a log shipper reads.
 * The shipper has the pipe open and stopped reading.
 */
public class PaymentGateway {
    private static final int WORKERS = 8;

    public static void main(String[] args) throws Exception {
        Path pipe = namedPipe();
        RandomAccessFile shipper = new RandomAccessFile(pipe.toFile(), "rw");
        logTo(pipe.toFile());
        PaymentService payments = new PaymentService(LogManager.getLogger("audit"));
        payments.book("warm-up", 1);
        Files.delete(pipe);
        Files.delete(pipe.getParent());

        AtomicInteger number = new AtomicInteger();
        ExecutorService workers = Executors.newFixedThreadPool(WORKERS, task -> new Thread(task, "payment-" + number.incrementAndGet()));
        for (int i = 0; i < 4_000; i++) {
            int cents = 100 + i;
            workers.execute(() -> payments.book("4111-" + cents, cents));
        }
        long before;
        do {
            before = payments.booked();
            Thread.sleep(1_000);
        } while (payments.booked() != before);
        System.out.println("READY");
        new CountDownLatch(1).await();
        shipper.close();
    }

    private static Path namedPipe() throws IOException, InterruptedException {
        Path pipe = Files.createTempDirectory("audit").resolve("audit.pipe");
        if (new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor() != 0) {
            throw new IOException("mkfifo failed");
        }
        return pipe;
    }

    private static void logTo(File file) {
        ConfigurationBuilder<BuiltConfiguration> builder = ConfigurationBuilderFactory.newConfigurationBuilder();
        builder.setStatusLevel(Level.ERROR);
        builder.add(builder.newAppender("audit", "File")
                .addAttribute("fileName", file.getPath())
                .addAttribute("append", true)
                .add(builder.newLayout("PatternLayout").addAttribute("pattern", "%d %t %c %level %msg%n")));
        builder.add(builder.newRootLogger(Level.INFO).add(builder.newAppenderRef("audit")));
        Configurator.initialize(builder.build());
    }
}

class PaymentService {
    private final org.apache.logging.log4j.Logger audit;
    private final AtomicLong booked = new AtomicLong();

    PaymentService(org.apache.logging.log4j.Logger audit) {
        this.audit = audit;
    }

    void book(String card, int cents) {
        audit.info("authorised card={} cents={} merchant=acme-online terminal=7 risk=low network=visa", card, cents);
        booked.incrementAndGet();
    }

    long booked() {
        return booked.get();
    }
}
