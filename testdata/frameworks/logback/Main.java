import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.io.InputStream;
import org.slf4j.LoggerFactory;

/** Logback. The fault: the appender behind the asynchronous one waits for an acknowledgement, and its queue is full. */
public class Main {
    static class Journal extends AppenderBase<ILoggingEvent> {
        private final InputStream acknowledgements;

        Journal(InputStream acknowledgements) {
            this.acknowledgements = acknowledgements;
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getMessage().startsWith("order")) {
                write();
            }
        }

        private void write() {
            try {
                acknowledgements.read();
            } catch (IOException e) {
                addError("journal", e);
            }
        }
    }

    static void serve(Logger log) {
        for (int i = 0; i < 100; i++) {
            log.info("order {}", i);
        }
    }

    public static void main(String[] args) throws Exception {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        Journal journal = new Journal(Caller.line(Caller.silentServer(), "hello\n").getInputStream());
        journal.setContext(context);
        journal.start();
        AsyncAppender async = new AsyncAppender();
        async.setContext(context);
        async.setQueueSize(8);
        async.setDiscardingThreshold(0);
        async.addAppender(journal);
        async.start();
        Logger log = context.getLogger(Main.class);
        log.addAppender(async);
        for (int i = 0; i < 4; i++) {
            log.info("page {}", i);
        }
        if (args[0].equals("fault")) {
            for (int i = 1; i <= 3; i++) {
                new Thread(() -> serve(log), "t-" + i).start();
            }
        }
        Thread.sleep(500);
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
