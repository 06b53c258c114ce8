package com.example.orders;

import java.util.ArrayList;
import java.util.List;

/** Rebuilds the search index over and over and looks for duplicates the slow way. */
final class CatalogIndexer {
    private final List<String> titles = new ArrayList<>();
    private volatile int duplicates;

    CatalogIndexer(int items) {
        for (int i = 0; i < items; i++) {
            titles.add("article number " + i * 31 % 9973);
        }
    }

    void rebuildForever() {
        while (true) {
            duplicates = countDuplicates();
        }
    }

    private int countDuplicates() {
        int found = 0;
        for (int i = 0; i < titles.size(); i++) {
            if (seenBefore(titles.get(i), i)) {
                found++;
            }
        }
        return found;
    }

    private boolean seenBefore(String title, int end) {
        for (int i = 0; i < end; i++) {
            if (similarity(titles.get(i), title) == title.length()) {
                return true;
            }
        }
        return false;
    }

    private int similarity(String a, String b) {
        int same = 0;
        for (int i = 0; i < Math.min(a.length(), b.length()); i++) {
            if (a.charAt(i) == b.charAt(i)) {
                same++;
            }
        }
        return same;
    }
}
