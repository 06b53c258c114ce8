package com.acme.shop;

import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Stores orders. One transaction per order. */
class OrderService {
    private final DataSource dataSource;
    private final TaxClient taxes;

    OrderService(DataSource dataSource, TaxClient taxes) {
        this.dataSource = dataSource;
        this.taxes = taxes;
    }

    void createSchema() throws SQLException {
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("create table orders(id identity primary key, country varchar(2), net decimal(10, 2), tax decimal(10, 2))");
        }
    }

    /** Stores an order with its tax and answers its number. */
    long place(String country, BigDecimal net) throws SQLException, IOException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            long id = insert(connection, country, net);
            updateTax(connection, id, net.multiply(taxes.rateFor(country)));
            connection.commit();
            return id;
        }
    }

    private long insert(Connection connection, String country, BigDecimal net) throws SQLException {
        String sql = "insert into orders(country, net) values (?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
            statement.setString(1, country);
            statement.setBigDecimal(2, net);
            statement.executeUpdate();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                keys.next();
                return keys.getLong(1);
            }
        }
    }

    private void updateTax(Connection connection, long id, BigDecimal tax) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("update orders set tax = ? where id = ?")) {
            statement.setBigDecimal(1, tax);
            statement.setLong(2, id);
            statement.executeUpdate();
        }
    }
}
