package com.acme.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** Asks the tax service of a partner for the rate of a country. */
class TaxClient {
    private final String base;

    TaxClient(String base) {
        this.base = base;
    }

    BigDecimal rateFor(String country) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(base + "/rates/" + country).openConnection();
        connection.setConnectTimeout(2_000);
        try (BufferedReader answer =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            return new BigDecimal(answer.readLine().trim());
        }
    }
}
