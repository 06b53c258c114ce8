import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletableFuture;

/** Vert.x. The fault: an event loop waits for a result that only the same event loop can bring. */
public class Main {
    static class Desk {
        private final Vertx vertx;

        Desk(Vertx vertx) {
            this.vertx = vertx;
        }

        void answer(HttpServerRequest request) {
            request.response().end(request.path().equals("/far") ? ask() : "near");
        }

        private String ask() {
            CompletableFuture<String> answer = new CompletableFuture<>();
            vertx.getOrCreateContext().runOnContext(ignored -> answer.complete("far"));
            return answer.join();
        }
    }

    public static void main(String[] args) throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setWorkerPoolSize(4)
                .setMaxEventLoopExecuteTime(Long.MAX_VALUE));
        for (int i = 0; i < 4; i++) {
            vertx.executeBlocking(() -> 1).toCompletionStage().toCompletableFuture().join();
        }
        HttpServer server = vertx.createHttpServer().requestHandler(new Desk(vertx)::answer)
                .listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        for (int i = 0; i < 4; i++) {
            Caller.get(server.actualPort(), "/near");
        }
        vertx.setPeriodic(60_000, ignored -> { });
        if (args[0].equals("fault")) {
            Caller.send(server.actualPort(), "/far", 1);
            Thread.sleep(1000);
        }
        System.out.println("READY");
    }
}
