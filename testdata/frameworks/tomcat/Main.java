import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** Tomcat. The fault: every request wants a monitor whose owner reads from a peer that says nothing. */
public class Main {
    static class Stock extends HttpServlet {
        private final Map<String, Integer> items = new HashMap<>();
        private final CountDownLatch refilling = new CountDownLatch(1);

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().println(count(request.getServletPath()));
        }

        synchronized int count(String item) {
            return items.getOrDefault(item, 0);
        }

        synchronized void refill(InputStream feed) throws IOException {
            refilling.countDown();
            items.put("/bolts", feed.read());
        }

        void refillFrom(int port) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                refill(socket.getInputStream());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Stock stock = new Stock();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", "8");
        connector.setProperty("minSpareThreads", "4");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "stock", stock);
        context.addServletMappingDecoded("/*", "stock");
        tomcat.start();
        for (int i = 0; i < 4; i++) {
            Caller.get(connector.getLocalPort(), "/nuts");
        }
        if (args[0].equals("fault")) {
            int port = Caller.silentServer();
            new Thread(() -> stock.refillFrom(port), "t-1").start();
            stock.refilling.await();
            Caller.send(connector.getLocalPort(), "/bolts", 12);
            Thread.sleep(1000);
        }
        System.out.println("READY");
        tomcat.getServer().await();
    }
}
