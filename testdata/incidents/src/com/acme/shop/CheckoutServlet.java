package com.acme.shop;

import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** POST /checkout?country=DE&net=19.90 */
class CheckoutServlet extends HttpServlet {
    private final transient OrderService orders;

    CheckoutServlet(OrderService orders) {
        this.orders = orders;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        try {
            long id = orders.place(request.getParameter("country"), new BigDecimal(request.getParameter("net")));
            response.getWriter().println("order " + id);
        } catch (SQLException e) {
            throw new ServletException("order not stored", e);
        }
    }
}
