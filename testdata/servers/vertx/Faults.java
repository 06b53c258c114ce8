import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A handler with one fault, which its requests bring about. */
final class Faults implements Handler<RoutingContext> {
    private final Vertx vertx;
    private final String fault;
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile int count;

    Faults(Vertx vertx, String fault) {
        this.vertx = vertx;
        this.fault = fault;
    }

    @Override
    public void handle(RoutingContext context) {
        switch (fault) {
            case "event-loop" -> ask();
            case "workers" -> context.vertx().executeBlocking(this::render, false);
            case "endless-loop" -> count();
            default -> context.response().end();
        }
    }

    /** Waits on the event loop for what the same event loop would bring. */
    private void ask() {
        CompletableFuture<Object> reply = new CompletableFuture<>();
        vertx.runOnContext(nothing -> reply.complete("done"));
        reply.join();
    }

    private Object render() throws InterruptedException {
        never.await();
        return null;
    }

    private void count() {
        for (int i = 0; i >= 0; i = (i + 1) & 0xffff) {
            count = i;
        }
    }
}
