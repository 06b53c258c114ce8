package com.acme.orders;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Orders wait, in the middle of their work, for the answer of the warehouse in a queue that nothing is put into. */
public class ReservationFlow {
    static final class Order {
        final int number;
        final BlockingQueue<Boolean> confirmation = new LinkedBlockingQueue<>();

        Order(int number) {
            this.number = number;
        }
    }

    private final List<Order> requested = new ArrayList<>();

    void process(Order order) {
        requestReservation(order);
        if (awaitConfirmation(order)) {
            System.out.println("reserved " + order.number);
        }
    }

    private void requestReservation(Order order) {
        synchronized (requested) {
            requested.add(order);
        }
    }

    private boolean awaitConfirmation(Order order) {
        try {
            return order.confirmation.take();
        } catch (InterruptedException e) {
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        ReservationFlow flow = new ReservationFlow();
        List<Thread> orders = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            Order order = new Order(4700 + i);
            orders.add(Thread.ofVirtual().name("order-" + order.number).start(() -> flow.process(order)));
        }
        Service.awaitWaiting(orders);
        Service.run();
    }
}
