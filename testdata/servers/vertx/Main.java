import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ThreadLocalRandom;

/** Vert.x with a router, whose handlers use the event bus and worker threads; and its clients. */
public final class Main {
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("client")) {
            client(port);
        } else {
            server(port, args[2]);
        }
    }

    private static void server(int port, String fault) throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setWorkerPoolSize(4));
        vertx.eventBus().<Integer>consumer("price", message -> message.reply(message.body() * 7 % 100));
        Router router = Router.router(vertx);
        router.route().handler(BodyHandler.create());
        router.get("/price/:id").handler(Main::price);
        router.post("/report").handler(Main::report);
        router.get("/fault").handler(new Faults(vertx, fault));
        vertx.createHttpServer(new HttpServerOptions().setPort(port)).requestHandler(router).listen().await();
        if (!fault.equals("healthy")) {
            Stage.send(port, "/fault", 6);
            Thread.sleep(1500);
        }
        Stage.ready();
    }

    private static void price(RoutingContext context) {
        int id = Integer.parseInt(context.pathParam("id"));
        context.vertx().eventBus().<Integer>request("price", id)
            .onSuccess(reply -> context.json(new JsonObject().put("id", id).put("price", reply.body())))
            .onFailure(context::fail);
    }

    private static void report(RoutingContext context) {
        String body = context.body().asString();
        context.vertx().executeBlocking(() -> {
            int sum = 0;
            for (int i = 0; i < 1000; i++) {
                sum += (body + i).hashCode();
            }
            return sum;
        }).onSuccess(sum -> context.response().end(String.valueOf(sum))).onFailure(context::fail);
    }

    private static void client(int port) throws InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        Stage.ready();
        Stage.awaitLoad();
        String base = "http://localhost:" + port;
        Stage.repeat("buyer", 4, 20, () -> {
            URI uri = URI.create(base + "/price/" + ThreadLocalRandom.current().nextInt(1000));
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        });
        Stage.repeat("clerk", 2, 50, () -> http.send(HttpRequest.newBuilder(URI.create(base + "/report"))
            .POST(HttpRequest.BodyPublishers.ofString("a report")).build(), HttpResponse.BodyHandlers.ofString()));
    }
}
