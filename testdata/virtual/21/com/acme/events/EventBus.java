package com.acme.events;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A bounded queue of 16 events. Its only consumer, a virtual thread, has ended with an exception; 30 virtual threads wait for
 * room.
 */
public class EventBus {
    private final BlockingQueue<String> events = new ArrayBlockingQueue<>(16);

    void publish(String event) throws InterruptedException {
        events.put(event);
    }

    void dispatch() throws InterruptedException {
        while (true) {
            handle(events.take());
        }
    }

    private void handle(String event) {
        if (event.indexOf(':') < 0) {
            throw new IllegalArgumentException("no type: " + event);
        }
    }

    private void publishAll(String source) {
        try {
            for (int i = 0; ; i++) {
                publish(source + ":" + i);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        EventBus bus = new EventBus();
        bus.publish("broken");
        Thread dispatcher = Thread.ofVirtual().name("event-dispatcher").unstarted(() -> {
            try {
                bus.dispatch();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        dispatcher.setUncaughtExceptionHandler((thread, e) -> System.err.println(thread.getName() + ": " + e));
        dispatcher.start();
        dispatcher.join();
        List<Thread> publishers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String source = "sensor-" + i;
            publishers.add(Thread.ofVirtual().name("publisher-" + i).start(() -> bus.publishAll(source)));
        }
        Service.awaitWaiting(publishers);
        Service.run();
    }
}
