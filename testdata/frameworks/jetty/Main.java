import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty. The fault: every handler reads from another server, which never answers. */
public class Main {
    static class Relay extends Handler.Abstract {
        private final int upstream;

        Relay(int upstream) {
            this.upstream = upstream;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            byte[] body = {'o', 'k'};
            if (Request.getPathInContext(request).equals("/far")) {
                body[0] = (byte) fetch();
            }
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            response.write(true, ByteBuffer.wrap(body), callback);
            return true;
        }

        private int fetch() throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), upstream)) {
                socket.getOutputStream().write("PING\n".getBytes());
                return socket.getInputStream().read();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Server server = new Server(new QueuedThreadPool(8, 8));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Relay(Caller.silentServer()));
        server.start();
        for (int i = 0; i < 4; i++) {
            Caller.get(connector.getLocalPort(), "/near");
        }
        if (args[0].equals("fault")) {
            Caller.send(connector.getLocalPort(), "/far", 12);
            Thread.sleep(1000);
        }
        System.out.println("READY");
        server.join();
    }
}
