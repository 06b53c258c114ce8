package com.acme.search;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;

/**
 * A virtual thread merges segments under a monitor and sleeps hours between two attempts; twelve others wait for the monitor.
 * Up to JDK 23 the owner and as many waiters as there are carriers are pinned; from 24 on all of them are unmounted.
 */
public class IndexWriter {
    private final List<String> segments = new ArrayList<>();

    synchronized void mergeSegments() {
        for (int attempt = 1; segments.size() > 1; attempt++) {
            backOff(attempt);
        }
    }

    private void backOff(int attempt) {
        try {
            Thread.sleep(attempt * 7_200_000L);
        } catch (InterruptedException e) {
            segments.clear();
        }
    }

    synchronized void add(String document) {
        segments.add(document);
    }

    public static void main(String[] args) throws Exception {
        IndexWriter writer = new IndexWriter();
        writer.add("a");
        writer.add("b");
        Thread merge = Thread.ofVirtual().name("segment-merge").start(writer::mergeSegments);
        Service.awaitWaiting(merge);
        List<Thread> adding = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            String document = "document-" + i;
            adding.add(Thread.ofVirtual().name("index-" + i).start(() -> writer.add(document)));
        }
        Service.awaitWaiting(adding.getFirst());
        Thread.sleep(300);
        Service.run();
    }
}
