package com.acme.imaging;

import com.acme.ops.Service;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Native code sorts pixels and calls back into Java, where the comparison waits for a color profile that nothing loads. A
 * native frame keeps the carrier on every JDK: both are taken, 30 requests cannot run.
 */
public class PixelSorter {
    private static final CountDownLatch PROFILE_LOADED = new CountDownLatch(1);
    private static final MethodHandle QSORT;
    private static final MethodHandle COMPARE;

    static {
        Linker linker = Linker.nativeLinker();
        QSORT = linker.downcallHandle(linker.defaultLookup().find("qsort").orElseThrow(), FunctionDescriptor.ofVoid(
                ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        try {
            COMPARE = MethodHandles.lookup().findStatic(PixelSorter.class, "compare",
                    MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static int compare(MemorySegment a, MemorySegment b) {
        awaitProfile();
        return Integer.compare(a.get(ValueLayout.JAVA_INT, 0), b.get(ValueLayout.JAVA_INT, 0));
    }

    private static void awaitProfile() {
        try {
            PROFILE_LOADED.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void sort(int... pixels) {
        var pixel = ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callback = Linker.nativeLinker().upcallStub(COMPARE,
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, pixel, pixel), arena);
            QSORT.invokeExact(arena.allocateFrom(ValueLayout.JAVA_INT, pixels), (long) pixels.length, 4L, callback);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        List<Thread> sorting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            sorting.add(Thread.ofVirtual().name("image-sort-" + i).start(() -> sort(3, 1, 2)));
        }
        Service.awaitWaiting(sorting);
        AtomicInteger served = new AtomicInteger();
        for (int i = 0; i < 30; i++) {
            Thread.ofVirtual().name("thumbnail-" + i).start(served::incrementAndGet);
        }
        Service.run();
    }
}
