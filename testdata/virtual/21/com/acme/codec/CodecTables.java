package com.acme.codec;

import com.acme.ops.Service;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The static initialisers of two classes need each other, and two virtual threads have begun one each: a deadlock over class
 * initialisation. A third thread waits for one of the classes.
 */
public class CodecTables {
    private static final CountDownLatch BOTH_BEGUN = new CountDownLatch(2);

    static final class Encoder {
        static final int[] TABLE = new int[256];

        static {
            meet();
            TABLE[0] = Decoder.size() + 1;
        }

        private Encoder() {
        }

        static int size() {
            return TABLE.length;
        }
    }

    static final class Decoder {
        static final int[] TABLE = new int[128];

        static {
            meet();
            TABLE[0] = Encoder.size() + 1;
        }

        private Decoder() {
        }

        static int size() {
            return TABLE.length;
        }
    }

    private static void meet() {
        BOTH_BEGUN.countDown();
        try {
            if (!BOTH_BEGUN.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the other class was not used");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread.ofVirtual().name("upload-1").start(() -> System.out.println(Encoder.size()));
        Thread.ofVirtual().name("download-1").start(() -> System.out.println(Decoder.size()));
        BOTH_BEGUN.await();
        Thread.sleep(300);
        Thread.ofVirtual().name("upload-2").start(() -> System.out.println(Encoder.size()));
        Thread.sleep(300);
        Service.run();
    }
}
