package com.acme.catalog;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** Products with the products that go with them, from a Guava cache in front of the database. */
class ProductCatalog {
    private final DataSource dataSource;
    private final LoadingCache<String, Product> products = CacheBuilder.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(10, TimeUnit.MINUTES)
            .build(CacheLoader.from(this::load));

    ProductCatalog(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    Product find(String sku) {
        return products.getUnchecked(sku);
    }

    private Product load(String sku) {
        List<Product> accessories = new ArrayList<>();
        for (String accessory : accessoriesOf(sku)) {
            accessories.add(products.getUnchecked(accessory));
        }
        return new Product(sku, accessories);
    }

    private List<String> accessoriesOf(String sku) {
        List<String> found = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement query = connection.prepareStatement("select accessory from accessories, slow_view where sku = ?")) {
            query.setString(1, sku);
            ResultSet rows = query.executeQuery();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return found;
    }
}

class Product {
    final String sku;
    final List<Product> accessories;

    Product(String sku, List<Product> accessories) {
        this.sku = sku;
        this.accessories = accessories;
    }
}
