package com.acme.load;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Pairs of neighbouring frames: the caller as a line of HotSpot's text, a tab, and the method that it calls. */
final class Calls {
    /** So many rounds in a row must bring nothing new: -Dquiet. */
    private static final int QUIET = Integer.getInteger("quiet", 100);

    private final Set<String> pairs = ConcurrentHashMap.newKeySet();
    private volatile boolean anew;

    /** Adds the calls of a stack, innermost frame first. */
    void record(StackTraceElement[] stack) {
        for (int i = 1; i < stack.length; i++) {
            if (pairs.add(line(stack[i]) + "\t" + method(stack[i - 1]))) {
                anew = true;
            }
        }
    }

    /** Adds the calls of threads, as the JVM reports them, until none is new any more. Ended threads leave the list. */
    void sample(List<Thread> threads) {
        for (int quiet = 0; quiet < QUIET; quiet = anew ? 0 : quiet + 1) {
            anew = false;
            Thread[] now;
            synchronized (threads) {
                threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
                now = threads.toArray(Thread[]::new);
            }
            for (Thread thread : now) {
                record(thread.getStackTrace());
            }
        }
    }

    void write(Path file) throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file));
                Stream<String> sorted = pairs.stream().sorted()) {
            sorted.forEach(out::println);
        }
    }

    private static String method(StackTraceElement frame) {
        return frame.getClassName() + "." + frame.getMethodName();
    }

    static String line(StackTraceElement frame) {
        String module = frame.getModuleName() == null ? ""
                : frame.getModuleName() + "@" + frame.getModuleVersion() + "/";
        String place = frame.isNativeMethod() ? "Native Method"
                : frame.getFileName() == null ? "Unknown Source"
                : frame.getLineNumber() < 0 ? frame.getFileName() : frame.getFileName() + ":" + frame.getLineNumber();
        return method(frame) + "(" + module + place + ")";
    }
}
