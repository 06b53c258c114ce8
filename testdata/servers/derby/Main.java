import java.io.PrintWriter;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.derby.drda.NetworkServerControl;

/** Derby's network server; and clients over JDBC. */
public final class Main {
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("client")) {
            client(port, args[2]);
            return;
        }
        System.setProperty("derby.locks.waitTimeout", "3600");
        new NetworkServerControl(InetAddress.getLoopbackAddress(), port).start(new PrintWriter(System.err));
        Stage.readyAt(port);
        Thread.currentThread().join();
    }

    static Connection connect(int port) throws Exception {
        return DriverManager.getConnection("jdbc:derby://localhost:" + port + "/shop;create=true");
    }

    private static void client(int port, String fault) throws Exception {
        Stage.awaitPort(port);
        try (Connection c = connect(port); Statement s = c.createStatement()) {
            s.execute("create table item(id int primary key, name varchar(50), stock int)");
            for (int i = 0; i < 200; i++) {
                s.execute("insert into item values (" + i + ", 'item', 1)");
            }
            if (!fault.equals("healthy")) {
                Faults.provoke(fault, port, s);
            }
        }
        Stage.ready();
        Stage.awaitLoad();
        for (int i = 0; i < 4; i++) {
            Connection c = connect(port);
            PreparedStatement write = c.prepareStatement("update item set stock = stock + 1 where id = ?");
            PreparedStatement read = c.prepareStatement("select stock from item where id = ?");
            Stage.repeat("clerk-" + i, 1, 20, () -> {
                int id = ThreadLocalRandom.current().nextInt(200);
                write.setInt(1, id);
                write.executeUpdate();
                read.setInt(1, id);
                try (ResultSet row = read.executeQuery()) {
                    return row.next();
                }
            });
        }
    }
}
