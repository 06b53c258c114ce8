import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

/** Faults of transactions and of a function of the program inside the database. */
public final class Faults {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private Faults() {
    }

    static void provoke(String fault, int port, Statement setup) throws Exception {
        switch (fault) {
            case "rows" -> {
                Connection owner = Main.connect(port);
                owner.setAutoCommit(false);
                owner.createStatement().executeUpdate("update item set stock = 0 where id = 7");
                for (int i = 0; i < 3; i++) {
                    statement(port, "update item set stock = 1 where id = 7");
                }
            }
            case "function" -> {
                setup.execute("create function discount(id int) returns int language java parameter style java no sql"
                    + " external name 'Faults.discount'");
                for (int i = 0; i < 2; i++) {
                    statement(port, "select discount(id) from item where id = 3");
                }
            }
            default -> throw new IllegalArgumentException(fault);
        }
        Thread.sleep(2000);
    }

    private static void statement(int port, String sql) {
        new Thread(() -> {
            try (Connection c = Main.connect(port); Statement s = c.createStatement()) {
                s.execute(sql);
                if (s.getResultSet() != null) {
                    s.getResultSet().next();
                }
            } catch (Exception e) {
                e.printStackTrace();
            }
        }, "clerk").start();
    }

    /** Runs in the server. */
    public static int discount(int id) throws InterruptedException {
        NEVER.await();
        return id;
    }
}
