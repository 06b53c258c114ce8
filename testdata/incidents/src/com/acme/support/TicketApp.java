package com.acme.support;

import com.acme.net.Loopback;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.util.log.Log;
import org.eclipse.jetty.util.log.StdErrLog;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A help desk on Jetty: GET /tickets?q=... takes a query such as: status="open" and owner='kim' */
public class TicketApp {
    static class QueryParser {
        private static final Pattern QUERY =
                Pattern.compile("(?:\\s*(?:and\\s+|or\\s+)?[\\w.]+\\s*=\\s*(['\"])(?:\\w+\\s?|[\\w-]+\\s?)*\\1\\s*)+");

        boolean accepts(String query) {
            return QUERY.matcher(query).matches();
        }
    }

    static class TicketHandler extends AbstractHandler {
        private final QueryParser parser = new QueryParser();
        private final AtomicInteger answered = new AtomicInteger();

        @Override
        public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            String query = request.getParameter("q");
            response.setStatus(parser.accepts(query) ? HttpServletResponse.SC_OK : HttpServletResponse.SC_BAD_REQUEST);
            base.setHandled(true);
            answered.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        Log.setLog(new StdErrLog());
        ((StdErrLog) Log.getLog()).setLevel(StdErrLog.LEVEL_OFF);
        QueuedThreadPool threads = new QueuedThreadPool(12, 8);
        threads.setName("helpdesk");
        Server server = new Server(threads);
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        TicketHandler handler = new TicketHandler();
        server.setHandler(handler);
        server.start();

        for (int i = 0; i < 20; i++) {
            ask(connector.getLocalPort(), "status=\"open\" and owner='kim'");
        }
        ask(connector.getLocalPort(), "title=\"printer on the third floor does not print since the last update of its driver");
        Thread.sleep(2_000);
        if (handler.answered.get() != 20) {
            throw new IllegalStateException(handler.answered + " requests were answered");
        }
        System.out.println("READY");
        server.join();
    }

    private static void ask(int port, String query) throws IOException {
        Loopback.request(port, "GET", "/tickets?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    }
}
