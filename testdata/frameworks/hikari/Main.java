import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** HikariCP over H2. The fault: all connections were taken and never given back, and callers wait for one. */
public class Main {
    static class Orders {
        private final DataSource pool;

        Orders(DataSource pool) {
            this.pool = pool;
        }

        int load() throws SQLException {
            try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
                return first(statement.executeQuery("select 1"));
            }
        }

        int loadAndForget() throws SQLException {
            return first(pool.getConnection().createStatement().executeQuery("select 2"));
        }

        private int first(ResultSet rows) throws SQLException {
            rows.next();
            return rows.getInt(1);
        }

        void serve() {
            try {
                load();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:orders");
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(3_600_000);
        Orders orders = new Orders(new HikariDataSource(config));
        for (int i = 0; i < 4; i++) {
            orders.load();
        }
        if (args[0].equals("fault")) {
            orders.loadAndForget();
            orders.loadAndForget();
            for (int i = 1; i <= 4; i++) {
                new Thread(orders::serve, "t-" + i).start();
            }
            Thread.sleep(500);
        }
        System.out.println("READY");
        new CountDownLatch(1).await();
    }
}
