import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CountDownLatch;

/** Virtual threads wait for a latch inside a callback from native code and so keep every carrier. */
public class Cranes {
    private static final CountDownLatch SPRING = new CountDownLatch(1);

    static int compare(MemorySegment a, MemorySegment b) {
        return perch() + a.get(ValueLayout.JAVA_INT, 0) - b.get(ValueLayout.JAVA_INT, 0);
    }

    private static int perch() {
        try {
            SPRING.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    private static void sort() {
        Linker linker = Linker.nativeLinker();
        MemorySegment symbol = linker.defaultLookup().find("qsort").orElseThrow();
        MethodHandle qsort = linker.downcallHandle(symbol, FunctionDescriptor.ofVoid(ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle target = MethodHandles.lookup().findStatic(Cranes.class, "compare",
                    MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
            var item = ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT);
            MemorySegment callback = linker.upcallStub(target,
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, item, item), arena);
            MemorySegment numbers = arena.allocateFrom(ValueLayout.JAVA_INT, 3, 1, 2);
            qsort.invokeExact(numbers, 3L, 4L, callback);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            Thread.ofVirtual().name("v-" + i).start(Cranes::sort);
        }
        Thread.sleep(1000);
        for (int i = 2; i < 30; i++) {
            Thread.ofVirtual().name("v-" + i).start(() -> System.out.println("north"));
        }
        Thread.sleep(300);
        System.out.println("READY");
        SPRING.await();
    }
}
