package com.acme.audit;

import com.acme.ops.Scopes;
import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A virtual thread opens a structured scope under the lock of the audit trail and waits for its subtasks; they want that lock.
 * A deadlock of the thread with its own subtasks.
 */
public class AuditTrail {
    private final ReentrantLock trailLock = new ReentrantLock();
    private final List<String> entries = new ArrayList<>();
    private volatile Thread subtask;

    void seal() throws Throwable {
        trailLock.lock();
        try {
            Object scope = Scopes.OPEN.invoke();
            try {
                Object unused = Scopes.FORK.invoke(scope, (Callable<Integer>) () -> writeEntry("sealed"));
                awaitEntries(scope);
            } finally {
                Scopes.CLOSE.invoke(scope);
            }
        } finally {
            trailLock.unlock();
        }
    }

    private void awaitEntries(Object scope) throws Throwable {
        Scopes.JOIN.invoke(scope);
    }

    private int writeEntry(String text) {
        Thread.currentThread().setName("audit-writer");
        subtask = Thread.currentThread();
        trailLock.lock();
        try {
            entries.add(text);
            return entries.size();
        } finally {
            trailLock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        AuditTrail trail = new AuditTrail();
        Thread seal = Thread.ofVirtual().name("audit-seal").start(() -> {
            try {
                trail.seal();
            } catch (Throwable e) {
                e.printStackTrace();
            }
        });
        Service.await(() -> trail.subtask != null);
        Service.awaitWaiting(seal, trail.subtask);
        Service.run();
    }
}
