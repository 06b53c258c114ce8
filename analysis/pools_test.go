package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jstall/analysis/facts"
	"jstall/analysis/facts/pools"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

const unsafePark = "!jdk.internal.misc.Unsafe.park"

// inTask is a worker of a ThreadPoolExecutor with frames above its loop, parked on
// an object of a class if that is not empty.
func inTask(class string, frames ...string) part {
	return parkedIn(class, append(frames, stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")...)
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
		inTask("", unsafePark, stack.JUC+"locks.LockSupport.park", stack.JUC+"locks.AbstractQueuedSynchronizer$ConditionObject.await",
			stack.JUC+"LinkedBlockingQueue.take", stack.JUC+"ThreadPoolExecutor.getTask")(t)
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		lockOn(t, threaddump.Parking, queue, stack.JUC+"locks.AbstractQueuedSynchronizer$ConditionObject")
	}
}

func asleep(frames ...string) part {
	return inTask("", append([]string{"!java.lang.Thread.sleep"}, frames...)...)
}

// inGet waits for a FutureTask, called from frames.
func inGet(frames ...string) []string {
	return append([]string{unsafePark, stack.JUC + "locks.LockSupport.park", stack.JUC + "FutureTask.awaitDone", stack.JUC + "FutureTask.get"}, frames...)
}

func caller(id int64) *threaddump.Thread {
	return thread(id, fmt.Sprintf("c-%d", id), parkedIn(stack.JUC+"FutureTask", inGet("App.ask", "java.lang.Thread.run")...), used(1, 10))
}

func worker(n int, parts ...part) *threaddump.Thread {
	return thread(int64(100+n), fmt.Sprintf("pool-1-thread-%d", n), append(parts, used(1, 10))...)
}

func factsOf(threads ...*threaddump.Thread) *facts.Facts {
	s := timeline.NewSeries()
	s.Add(observe(0, threads...))
	return facts.New(timeline.Arrange(s.Snaps))
}

func TestNamePattern(t *testing.T) {
	for name, want := range map[string]string{
		"pool-1-thread-12": "pool-1-thread-#", "http-nio-8080-exec-3": "http-nio-8080-exec-#",
		"7 dwarfs": "# dwarfs", "main": "main", "": "",
	} {
		if got := pools.NamePattern(name); got != want {
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
			for _, p := range factsOf(test.threads...).Executors() {
				s := fmt.Sprintf("%s: %d/%d", p.Pattern, len(p.Idle), len(p.Busy))
				if p.Mixed {
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
	const cond = stack.JUC + "locks.AbstractQueuedSynchronizer$ConditionObject."
	tests := []struct {
		name   string
		kind   stack.OpKind
		frames []string
	}{
		{"ArrayBlockingQueue.put", stack.OpPut, []string{unsafePark, stack.JUC + "locks.LockSupport.park", cond + "await", stack.JUC + "ArrayBlockingQueue.put", "App.run"}},
		{"LinkedBlockingQueue.poll", stack.OpTake, []string{unsafePark, stack.JUC + "locks.LockSupport.parkNanos", cond + "awaitNanos", stack.JUC + "LinkedBlockingQueue.poll", "App.run"}},
		{"SynchronousQueue.put", stack.OpPut, []string{unsafePark, stack.JUC + "locks.LockSupport.park", stack.JUC + "SynchronousQueue$TransferStack.transfer", stack.JUC + "SynchronousQueue.put", "App.run"}},
		{"AbstractExecutorService.invokeAll", stack.OpResult, []string{unsafePark, stack.JUC + "FutureTask.awaitDone", stack.JUC + "FutureTask.get", stack.JUC + "AbstractExecutorService.invokeAll", "App.run"}},
		{"CompletableFuture.join", stack.OpResult, []string{unsafePark, stack.JUC + "CompletableFuture.join", "java.util.stream.ReferencePipeline$3$1.accept", "java.util.stream.ReferencePipeline.collect", "App.run"}},
		{"IntPipeline.forEach", stack.OpResult, []string{unsafePark, stack.JUC + "ForkJoinTask.invoke", "java.util.stream.ForEachOps$ForEachOp.evaluateParallel", "java.util.stream.IntPipeline.forEach", "App.run"}},
		{"ExecutorCompletionService.take", stack.OpResult, []string{unsafePark, cond + "await", stack.JUC + "LinkedBlockingQueue.take", stack.JUC + "ExecutorCompletionService.take", "App.run"}},
		{"Semaphore.acquire", stack.OpPermit, []string{unsafePark, stack.JUC + "locks.AbstractQueuedSynchronizer.acquire", stack.JUC + "Semaphore.acquire", "App.run"}},
		{"ReentrantReadWriteLock$ReadLock.lock", stack.OpReadLock, []string{unsafePark, stack.JUC + "locks.AbstractQueuedSynchronizer.acquireShared", stack.JUC + "locks.ReentrantReadWriteLock$ReadLock.lock", "App.run"}},
		{"Object.wait", stack.OpNotify, []string{"!java.lang.Object.wait0", "java.lang.Object.wait", "App.run"}},
		{"Thread.join", stack.OpJoin, []string{"!java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Thread.join", "App.run"}},
		{"LockSupport.park", stack.OpPark, []string{unsafePark, stack.JUC + "locks.LockSupport.park", "App.run"}},
		{"Socket$SocketInputStream.read", stack.OpRead, []string{"!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.park", "sun.nio.ch.NioSocketImpl.implRead", "java.net.Socket$SocketInputStream.read", "App.run"}},
		{"SelectorImpl.select", stack.OpSelect, []string{"!sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollSelectorImpl.doSelect", "sun.nio.ch.SelectorImpl.select", "App.run"}},
		{"LinkedBlockingQueue.take", stack.OpTake, []string{unsafePark, cond + "await", stack.JUC + "LinkedBlockingQueue.take", stack.JUC + "ThreadPoolExecutor.getTask", stack.JUC + "ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}},
		{"", stack.OpNone, []string{"App.run", "java.lang.Thread.run"}},
	}
	for _, test := range tests {
		frames := trace(test.frames...)
		op := stack.OperationOf(frames, stack.OriginsOf(frames))
		if op.Kind != test.kind || op.Name() != test.name {
			t.Errorf("%s: got kind %d, %q, want kind %d", test.name, op.Kind, op.Name(), test.kind)
		}
	}
}

func TestIdlePlaces(t *testing.T) {
	at := func(frames ...string) part { return parkedIn("java.lang.Object", frames...) }
	wait := []string{"!java.lang.Object.wait0", "java.lang.Object.wait"}
	join := at(append(wait, "java.lang.Thread.join", "App.main")...)
	take := []string{unsafePark, stack.JUC + "LinkedBlockingQueue.take"}
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
		{"a pool of objects", thread(1, "x", at(unsafePark, stack.JUC+"SynchronousQueue.poll", "com.zaxxer.hikari.util.ConcurrentBag.borrow", "App.run")), ""},
		{"a worker that is blocked", thread(1, "w", idleAt(0xa), blockedOn(0xb)), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if r := factsOf(test.thread).Threads[0].Last().Resting(); r != nil {
				got = r.What
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
	for line := range strings.Lines(stack.IdleTable) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		r := stack.ParseRestRule(strings.TrimRight(line, "\n"))
		if r == nil || !slices.Contains([]string{"any", "main", "own", "loop"}, r.Scope) {
			t.Errorf("not understood: %s", line)
			continue
		}
		rows++
	}
	table := stack.RestRules()
	n := len(table.Globs)
	for _, rules := range table.ByName {
		n += len(rules)
	}
	if n != rows {
		t.Errorf("%d rows, %d rules", rows, n)
	}
}
