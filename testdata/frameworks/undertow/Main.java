import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.net.InetSocketAddress;

/** Undertow. The fault: every worker sleeps before it tries again. */
public class Main {
    static class Render implements HttpHandler {
        @Override
        public void handleRequest(HttpServerExchange exchange) throws Exception {
            if (exchange.getRequestPath().equals("/map")) {
                draw();
            }
            exchange.getResponseSender().send("done");
        }

        private void draw() throws InterruptedException {
            for (int attempt = 0; attempt < 1000; attempt++) {
                Thread.sleep(600_000);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Undertow server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setIoThreads(2)
                .setWorkerThreads(4)
                .setHandler(new BlockingHandler(new Render()))
                .build();
        server.start();
        int port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
        for (int i = 0; i < 4; i++) {
            Caller.get(port, "/list");
        }
        if (args[0].equals("fault")) {
            Caller.send(port, "/map", 8);
            Thread.sleep(1000);
        }
        System.out.println("READY");
    }
}
