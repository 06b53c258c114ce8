import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The main thread does nine tasks of different kind in turn, each in a method of its own, each until it has used its part
 * of the thread's CPU time. Ten times a second it prints NINE and the CPU time of each so far, in ns: the shares by the
 * program's own clock.
 */
final class Nine {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final String[] NAMES = {
        "sort", "copy", "stream", "map", "regex", "exception", "string", "lambda", "io"};
    /** Percentages of the CPU time. */
    private static final int[] PARTS = {19, 14, 13, 12, 11, 10, 9, 7, 5};
    static volatile long sink;

    private static final int[] NUMBERS = new Random(1).ints(4000).toArray();
    private static final byte[] BLOCK = new byte[1 << 18];
    private static final Pattern WORDS = Pattern.compile("([a-z]+)[0-9]*@([a-z]+\\.)+(org|com)");
    private static final List<Integer> LIST = new ArrayList<>();
    private static String text = "";
    private static File file;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2000; i++) {
            LIST.add(NUMBERS[i]);
        }
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            b.append("some words before name").append(i).append("@host.example.org, ");
        }
        text = b.toString();
        file = File.createTempFile("nine", ".bytes");
        file.deleteOnExit();
        long[] used = new long[NAMES.length];
        long told = 0;
        System.out.println("READY");
        while (true) {
            for (int i = 0; i < NAMES.length; i++) {
                // no round is as long as a sampler's period
                long part = PARTS[i] * 100_000L * (50 + ThreadLocalRandom.current().nextInt(100)) / 100;
                long begin = CLOCK.getCurrentThreadCpuTime();
                run(i, begin + part);
                used[i] += CLOCK.getCurrentThreadCpuTime() - begin;
            }
            if (System.nanoTime() - told > 100_000_000) {
                told = System.nanoTime();
                StringBuilder line = new StringBuilder("NINE");
                for (int i = 0; i < NAMES.length; i++) {
                    line.append(' ').append(NAMES[i]).append('=').append(used[i]);
                }
                System.out.println(line);
            }
        }
    }

    private static void run(int task, long until) throws IOException {
        switch (task) {
            case 0: sort(until); break;
            case 1: copy(until); break;
            case 2: stream(until); break;
            case 3: map(until); break;
            case 4: regex(until); break;
            case 5: exception(until); break;
            case 6: string(until); break;
            case 7: lambda(until); break;
            default: io(until);
        }
    }

    private static boolean before(long until) {
        return CLOCK.getCurrentThreadCpuTime() < until;
    }

    static void sort(long until) {
        while (before(until)) {
            int[] copy = NUMBERS.clone();
            Arrays.sort(copy);
            sink += copy[7];
        }
    }

    static void copy(long until) {
        while (before(until)) {
            byte[] copy = Arrays.copyOf(BLOCK, BLOCK.length);
            System.arraycopy(BLOCK, 0, copy, 100, BLOCK.length - 100);
            sink += copy[7];
        }
    }

    static void stream(long until) {
        while (before(until)) {
            sink += LIST.stream().filter(i -> i % 3 != 0).map(i -> i / 7 + 1).mapToLong(Integer::longValue).sum();
        }
    }

    static void map(long until) {
        while (before(until)) {
            Map<String, Integer> counts = new HashMap<>();
            for (int i = 0; i < 300; i++) {
                counts.merge("key" + NUMBERS[i] % 50, 1, Integer::sum);
            }
            sink += counts.size();
        }
    }

    static void regex(long until) {
        while (before(until)) {
            Matcher m = WORDS.matcher(text);
            while (m.find()) {
                sink += m.group(1).length();
            }
        }
    }

    static void exception(long until) {
        while (before(until)) {
            for (int i = 0; i < 20; i++) {
                try {
                    sink += fail(20);
                } catch (IllegalStateException e) {
                    sink += e.getStackTrace().length;
                }
            }
        }
    }

    private static int fail(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("no more");
        }
        return fail(depth - 1) + 1;
    }

    static void string(long until) {
        while (before(until)) {
            for (int i = 0; i < 20; i++) {
                String line = "id=" + i + ";name=" + NUMBERS[i] + ";sum=" + (i * 3.5);
                sink += line.toUpperCase().split(";").length + line.replace("NAME", "x").hashCode();
            }
        }
    }

    static void lambda(long until) {
        LongUnaryOperator chain = x -> x + 1;
        for (int i = 0; i < 20; i++) {
            long n = i;
            chain = chain.andThen(x -> x * 31 + n);
        }
        while (before(until)) {
            for (int i = 0; i < 500; i++) {
                sink += chain.applyAsLong(i);
            }
        }
    }

    static void io(long until) throws IOException {
        byte[] part = new byte[4096];
        while (before(until)) {
            try (FileOutputStream out = new FileOutputStream(file)) {
                for (int i = 0; i < 8; i++) {
                    out.write(part);
                }
            }
            try (FileInputStream in = new FileInputStream(file)) {
                while (in.read(part) > 0) {
                    sink += part[7];
                }
            }
        }
    }
}
