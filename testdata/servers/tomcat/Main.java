import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Tomcat with a shop behind it, which asks an H2 database through HikariCP; and its clients. */
public final class Main {
    static HikariDataSource database;

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("client")) {
            client(port);
        } else {
            server(port, args[2]);
        }
    }

    private static void server(int port, String fault) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(600_000);
        database = new HikariDataSource(config);
        try (Connection c = database.getConnection()) {
            c.createStatement().execute("create table item(id int primary key, name varchar(50), stock int)");
            c.createStatement().execute("insert into item select x, 'item ' || x, x from system_range(1, 1000)");
        }
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(".");
        tomcat.setPort(port);
        tomcat.getConnector().setProperty("maxThreads", "8");
        if (fault.equals("poller")) {
            Faults.starveThreads(tomcat.getConnector());
        }
        Context app = tomcat.addContext("", new File(".").getAbsolutePath());
        Tomcat.addServlet(app, "items", new Items());
        app.addServletMappingDecoded("/item", "items");
        Tomcat.addServlet(app, "fault", new Faults(fault));
        app.addServletMappingDecoded("/fault", "fault");
        tomcat.start();
        if (!fault.equals("healthy")) {
            Faults.provoke(fault, port);
        }
        Stage.ready();
        tomcat.getServer().await();
    }

    /** Reads and writes the items of the shop. */
    static final class Items extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int id = Integer.parseInt(request.getParameter("id"));
            try (Connection c = database.getConnection()) {
                try (PreparedStatement s = c.prepareStatement("update item set stock = stock + 1 where id = ?")) {
                    s.setInt(1, id);
                    s.executeUpdate();
                }
                try (PreparedStatement s = c.prepareStatement("select name, stock from item where id = ?")) {
                    s.setInt(1, id);
                    ResultSet row = s.executeQuery();
                    row.next();
                    response.getWriter().println(row.getString(1) + ": " + row.getInt(2));
                }
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }

    private static void client(int port) throws InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        Stage.ready();
        Stage.awaitLoad();
        Stage.repeat("buyer", 6, 20, () -> {
            int id = ThreadLocalRandom.current().nextInt(1, 1000);
            URI uri = URI.create("http://localhost:" + port + "/item?id=" + id);
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        });
    }
}
