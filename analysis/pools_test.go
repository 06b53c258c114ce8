package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jstall/threaddump"
)

const unsafePark = "!jdk.internal.misc.Unsafe.park"

// inTask is a worker of a ThreadPoolExecutor with frames above its loop, parked on
// an object of a class if that is not empty.
func inTask(class string, frames ...string) part {
	return parkedIn(class, append(frames, juc+"ThreadPoolExecutor.runWorker", juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")...)
}

// parkedIn stands in frames, parked on an object of a class if that is not empty,
// asleep if the first frame says so.
func parkedIn(class string, frames ...string) part {
	return func(t *threaddump.Thread) {
		t.Stack = trace(frames...)
		switch {
		case class != "":
			t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
			lockOn(t, threaddump.Parking, 0xf00+uint64(t.ID), class)
		case strings.HasSuffix(frames[0], "Thread.sleep"):
			t.State, t.StateDetail, t.Condition = threaddump.TimedWaiting, "sleeping", "waiting on condition"
		}
	}
}

// idleAt waits for work at a queue's condition.
func idleAt(queue uint64) part {
	return func(t *threaddump.Thread) {
		inTask("", unsafePark, juc+"locks.LockSupport.park", juc+"locks.AbstractQueuedSynchronizer$ConditionObject.await",
			juc+"LinkedBlockingQueue.take", juc+"ThreadPoolExecutor.getTask")(t)
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		lockOn(t, threaddump.Parking, queue, juc+"locks.AbstractQueuedSynchronizer$ConditionObject")
	}
}

func asleep(frames ...string) part {
	return inTask("", append([]string{"!java.lang.Thread.sleep"}, frames...)...)
}

// inGet waits for a FutureTask, called from frames.
func inGet(frames ...string) []string {
	return append([]string{unsafePark, juc + "locks.LockSupport.park", juc + "FutureTask.awaitDone", juc + "FutureTask.get"}, frames...)
}

func caller(id int64) *threaddump.Thread {
	return thread(id, fmt.Sprintf("c-%d", id), parkedIn(juc+"FutureTask", inGet("App.ask", "java.lang.Thread.run")...), used(1, 10))
}

func worker(n int, parts ...part) *threaddump.Thread {
	return thread(int64(100+n), fmt.Sprintf("pool-1-thread-%d", n), append(parts, used(1, 10))...)
}

func factsOf(threads ...*threaddump.Thread) *facts {
	s := NewSeries()
	s.Add(observe(0, threads...))
	return newFacts(arrange(s.snaps))
}

func TestNamePattern(t *testing.T) {
	for name, want := range map[string]string{
		"pool-1-thread-12": "pool-1-thread-#", "http-nio-8080-exec-3": "http-nio-8080-exec-#",
		"7 dwarfs": "# dwarfs", "main": "main", "": "",
	} {
		if got := namePattern(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestPools(t *testing.T) {
	named := func(id int64, name string, p part) *threaddump.Thread { return thread(id, name, p) }
	tests := []struct {
		name    string
		threads []*threaddump.Thread
		want    []string // pattern: idle/busy, ! for a mixed one
	}{
		{"by name", []*threaddump.Thread{
			named(1, "pool-1-thread-1", idleAt(0xa)), named(2, "pool-1-thread-2", asleep("App.run")), named(3, "pool-2-thread-1", idleAt(0xb)),
		}, []string{"pool-1-thread-#: 1/1", "pool-2-thread-#: 1/0"}},
		{"of other names at one queue", []*threaddump.Thread{
			named(1, "anna", idleAt(0xa)), named(2, "bert", idleAt(0xa)),
		}, []string{"anna: 2/0"}},
		{"two with the same names", []*threaddump.Thread{
			named(1, "w-1", idleAt(0xa)), named(2, "w-1", idleAt(0xb)), named(3, "w-2", asleep("App.run")),
		}, []string{"w-#: 2/1!"}},
		{"all of one name, with a number in it", []*threaddump.Thread{
			named(1, "s3-fetcher", asleep("App.run")), named(2, "s3-fetcher", asleep("App.run")),
		}, []string{"s3-fetcher: 0/2"}},
		{"no executor's", []*threaddump.Thread{named(1, "w-1", sleeping), named(2, "w-2", sleeping)}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, p := range factsOf(test.threads...).executors() {
				s := fmt.Sprintf("%s: %d/%d", p.pattern, len(p.idle), len(p.busy))
				if p.mixed {
					s += "!"
				}
				got = append(got, s)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestOperations(t *testing.T) {
	const cond = juc + "locks.AbstractQueuedSynchronizer$ConditionObject."
	tests := []struct {
		name   string
		kind   opKind
		frames []string
	}{
		{"ArrayBlockingQueue.put", opPut, []string{unsafePark, juc + "locks.LockSupport.park", cond + "await", juc + "ArrayBlockingQueue.put", "App.run"}},
		{"LinkedBlockingQueue.poll", opTake, []string{unsafePark, juc + "locks.LockSupport.parkNanos", cond + "awaitNanos", juc + "LinkedBlockingQueue.poll", "App.run"}},
		{"SynchronousQueue.put", opPut, []string{unsafePark, juc + "locks.LockSupport.park", juc + "SynchronousQueue$TransferStack.transfer", juc + "SynchronousQueue.put", "App.run"}},
		{"AbstractExecutorService.invokeAll", opResult, []string{unsafePark, juc + "FutureTask.awaitDone", juc + "FutureTask.get", juc + "AbstractExecutorService.invokeAll", "App.run"}},
		{"CompletableFuture.join", opResult, []string{unsafePark, juc + "CompletableFuture.join", "java.util.stream.ReferencePipeline$3$1.accept", "java.util.stream.ReferencePipeline.collect", "App.run"}},
		{"IntPipeline.forEach", opResult, []string{unsafePark, juc + "ForkJoinTask.invoke", "java.util.stream.ForEachOps$ForEachOp.evaluateParallel", "java.util.stream.IntPipeline.forEach", "App.run"}},
		{"ExecutorCompletionService.take", opResult, []string{unsafePark, cond + "await", juc + "LinkedBlockingQueue.take", juc + "ExecutorCompletionService.take", "App.run"}},
		{"Semaphore.acquire", opPermit, []string{unsafePark, juc + "locks.AbstractQueuedSynchronizer.acquire", juc + "Semaphore.acquire", "App.run"}},
		{"ReentrantReadWriteLock$ReadLock.lock", opReadLock, []string{unsafePark, juc + "locks.AbstractQueuedSynchronizer.acquireShared", juc + "locks.ReentrantReadWriteLock$ReadLock.lock", "App.run"}},
		{"Object.wait", opNotify, []string{"!java.lang.Object.wait0", "java.lang.Object.wait", "App.run"}},
		{"Thread.join", opJoin, []string{"!java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Thread.join", "App.run"}},
		{"LockSupport.park", opPark, []string{unsafePark, juc + "locks.LockSupport.park", "App.run"}},
		{"Socket$SocketInputStream.read", opRead, []string{"!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.park", "sun.nio.ch.NioSocketImpl.implRead", "java.net.Socket$SocketInputStream.read", "App.run"}},
		{"SelectorImpl.select", opSelect, []string{"!sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollSelectorImpl.doSelect", "sun.nio.ch.SelectorImpl.select", "App.run"}},
		{"LinkedBlockingQueue.take", opTake, []string{unsafePark, cond + "await", juc + "LinkedBlockingQueue.take", juc + "ThreadPoolExecutor.getTask", juc + "ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}},
		{"", opNone, []string{"App.run", "java.lang.Thread.run"}},
	}
	for _, test := range tests {
		frames := trace(test.frames...)
		op := operationOf(frames, originsOf(frames))
		if op.kind != test.kind || op.name() != test.name {
			t.Errorf("%s: got kind %d, %q, want kind %d", test.name, op.kind, op.name(), test.kind)
		}
	}
}

func TestIdlePlaces(t *testing.T) {
	at := func(frames ...string) part { return parkedIn("java.lang.Object", frames...) }
	wait := []string{"!java.lang.Object.wait0", "java.lang.Object.wait"}
	join := at(append(wait, "java.lang.Thread.join", "App.main")...)
	take := []string{unsafePark, juc + "LinkedBlockingQueue.take"}
	tests := []struct {
		name   string
		thread *threaddump.Thread
		want   string
	}{
		{"a worker", thread(1, "w", idleAt(0xa)), "worker"},
		{"a worker in a task", thread(1, "w", asleep("App.run")), ""},
		{"main in join", thread(1, "main", join), "main"},
		{"another one in join", thread(1, "x", at(append(wait, "java.lang.Thread.join", "App.run", "java.lang.Thread.run")...)), ""},
		{"main's method by another name", thread(1, "x", join), "main"},
		{"a consumer", thread(1, "x", at(append(take, "App.run", "java.lang.Thread.run")...)), "consumer"},
		{"a consumer in a lambda", thread(1, "x", at(append(take, "App.loop", "App.lambda$main$0", "App$$Lambda/0x7f.run", "java.lang.Thread.run")...)), "consumer"},
		{"a take deep in the application", thread(1, "x", at(append(take, "App.borrow", "App.run", "java.lang.Thread.run")...)), ""},
		{"a pool of objects", thread(1, "x", at(unsafePark, juc+"SynchronousQueue.poll", "com.zaxxer.hikari.util.ConcurrentBag.borrow", "App.run")), ""},
		{"a worker that is blocked", thread(1, "w", idleAt(0xa), blockedOn(0xb)), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if r := factsOf(test.thread).threads[0].last().resting(); r != nil {
				got = r.what
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Every row of the table can be read, and its first frame can be met.
func TestIdleTable(t *testing.T) {
	rows := 0
	for line := range strings.Lines(idleTable) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		r := parseRestRule(strings.TrimRight(line, "\n"))
		if r == nil || !slices.Contains([]string{"any", "main", "own", "loop"}, r.scope) {
			t.Errorf("not understood: %s", line)
			continue
		}
		rows++
	}
	table := restRules()
	n := len(table.globs)
	for _, rules := range table.byName {
		n += len(rules)
	}
	if n != rows {
		t.Errorf("%d rows, %d rules", rows, n)
	}
}
