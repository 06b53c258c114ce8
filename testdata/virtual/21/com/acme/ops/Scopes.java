package com.acme.ops;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Callable;

/**
 * The methods of java.util.concurrent.StructuredTaskScope, a preview whose form differs: a class with a constructor up to
 * JDK 24, an interface with open() from 25 on. As method handles, so that the frame that calls join is the caller's.
 */
public final class Scopes {
    /** () Object: a new scope. */
    public static final MethodHandle OPEN;
    /** (Object, Callable) Object: starts a subtask. */
    public static final MethodHandle FORK;
    /** (Object) void: waits for all subtasks. */
    public static final MethodHandle JOIN;
    /** (Object) void. */
    public static final MethodHandle CLOSE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
            Class<?> subtask = Class.forName("java.util.concurrent.StructuredTaskScope$Subtask");
            Class<?> joined = type.getMethod("join").getReturnType();
            MethodHandle open = type.isInterface()
                    ? lookup.findStatic(type, "open", MethodType.methodType(type))
                    : lookup.findConstructor(type, MethodType.methodType(void.class));
            OPEN = open.asType(MethodType.methodType(Object.class));
            FORK = lookup.findVirtual(type, "fork", MethodType.methodType(subtask, Callable.class))
                    .asType(MethodType.methodType(Object.class, Object.class, Callable.class));
            JOIN = lookup.findVirtual(type, "join", MethodType.methodType(joined))
                    .asType(MethodType.methodType(void.class, Object.class));
            CLOSE = lookup.findVirtual(type, "close", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Scopes() {
    }
}
