package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/facts/pools"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

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
	named := func(id int64, name string, p Part) *threaddump.Thread { return Thread(id, name, p) }
	tests := []struct {
		name    string
		threads []*threaddump.Thread
		want    []string // pattern: idle/busy, ! for a mixed one
	}{
		{"by name", []*threaddump.Thread{
			named(1, "pool-1-thread-1", IdleAt(0xa)), named(2, "pool-1-thread-2", Asleep("App.run")), named(3,
				"pool-2-thread-1", IdleAt(0xb)),
		}, []string{"pool-1-thread-#: 1/1", "pool-2-thread-#: 1/0"}},
		{"of other names at one queue", []*threaddump.Thread{
			named(1, "anna", IdleAt(0xa)), named(2, "bert", IdleAt(0xa)),
		}, []string{"anna: 2/0"}},
		{"two with the same names", []*threaddump.Thread{
			named(1, "w-1", IdleAt(0xa)), named(2, "w-1", IdleAt(0xb)), named(3, "w-2", Asleep("App.run")),
		}, []string{"w-#: 2/1!"}},
		{"all of one name, with a number in it", []*threaddump.Thread{
			named(1, "s3-fetcher", Asleep("App.run")), named(2, "s3-fetcher", Asleep("App.run")),
		}, []string{"s3-fetcher: 0/2"}},
		{"no executor's", []*threaddump.Thread{named(1, "w-1", Sleeping), named(2, "w-2", Sleeping)}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, p := range FactsOf(test.threads...).Pools.Executors() {
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
		{"ArrayBlockingQueue.put", stack.OpPut,
			[]string{UnsafePark, stack.JUC + "locks.LockSupport.park", cond + "await", stack.JUC +
				"ArrayBlockingQueue.put", "App.run"}},
		{"LinkedBlockingQueue.poll", stack.OpTake,
			[]string{UnsafePark, stack.JUC + "locks.LockSupport.parkNanos", cond + "awaitNanos", stack.JUC +
				"LinkedBlockingQueue.poll", "App.run"}},
		{"SynchronousQueue.put", stack.OpPut,
			[]string{UnsafePark, stack.JUC + "locks.LockSupport.park", stack.JUC +
				"SynchronousQueue$TransferStack.transfer", stack.JUC + "SynchronousQueue.put", "App.run"}},
		{"AbstractExecutorService.invokeAll", stack.OpResult,
			[]string{UnsafePark, stack.JUC + "FutureTask.awaitDone", stack.JUC + "FutureTask.get", stack.JUC +
				"AbstractExecutorService.invokeAll", "App.run"}},
		{"CompletableFuture.join", stack.OpResult,
			[]string{UnsafePark, stack.JUC + "CompletableFuture.join", "java.util.stream.ReferencePipeline$3$1.accept",
				"java.util.stream.ReferencePipeline.collect", "App.run"}},
		{"IntPipeline.forEach", stack.OpResult,
			[]string{UnsafePark, stack.JUC + "ForkJoinTask.invoke",
				"java.util.stream.ForEachOps$ForEachOp.evaluateParallel", "java.util.stream.IntPipeline.forEach",
				"App.run"}},
		{"ExecutorCompletionService.take", stack.OpResult,
			[]string{UnsafePark, cond + "await", stack.JUC + "LinkedBlockingQueue.take", stack.JUC +
				"ExecutorCompletionService.take", "App.run"}},
		{"Semaphore.acquire", stack.OpPermit,
			[]string{UnsafePark, stack.JUC + "locks.AbstractQueuedSynchronizer.acquire", stack.JUC +
				"Semaphore.acquire", "App.run"}},
		{"ReentrantReadWriteLock$ReadLock.lock", stack.OpReadLock,
			[]string{UnsafePark, stack.JUC + "locks.AbstractQueuedSynchronizer.acquireShared", stack.JUC +
				"locks.ReentrantReadWriteLock$ReadLock.lock", "App.run"}},
		{"Object.wait", stack.OpNotify, []string{"!java.lang.Object.wait0", "java.lang.Object.wait", "App.run"}},
		{"Thread.join", stack.OpJoin,
			[]string{"!java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Thread.join", "App.run"}},
		{"LockSupport.park", stack.OpPark, []string{UnsafePark, stack.JUC + "locks.LockSupport.park", "App.run"}},
		{"Socket$SocketInputStream.read", stack.OpRead,
			[]string{"!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.park", "sun.nio.ch.NioSocketImpl.implRead",
				"java.net.Socket$SocketInputStream.read", "App.run"}},
		{"SelectorImpl.select", stack.OpSelect,
			[]string{"!sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollSelectorImpl.doSelect",
				"sun.nio.ch.SelectorImpl.select", "App.run"}},
		{"LinkedBlockingQueue.take", stack.OpTake,
			[]string{UnsafePark, cond + "await", stack.JUC + "LinkedBlockingQueue.take", stack.JUC +
				"ThreadPoolExecutor.getTask", stack.JUC + "ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}},
		{"", stack.OpNone, []string{"App.run", "java.lang.Thread.run"}},
	}
	for _, test := range tests {
		frames := Trace(test.frames...)
		op := stack.OperationOf(frames, stack.OriginsOf(frames))
		if op.Kind != test.kind || op.Name() != test.name {
			t.Errorf("%s: got kind %d, %q, want kind %d", test.name, op.Kind, op.Name(), test.kind)
		}
	}
}

func TestIdlePlaces(t *testing.T) {
	at := func(frames ...string) Part { return ParkedIn("java.lang.Object", frames...) }
	wait := []string{"!java.lang.Object.wait0", "java.lang.Object.wait"}
	join := at(append(wait, "java.lang.Thread.join", "App.main")...)
	take := []string{UnsafePark, stack.JUC + "LinkedBlockingQueue.take"}
	tests := []struct {
		name   string
		thread *threaddump.Thread
		want   string
	}{
		{"a worker", Thread(1, "w", IdleAt(0xa)), "worker"},
		{"a scheduler's worker whose stack is cut above its loop", Thread(1, "w", at(UnsafePark,
			stack.JUC+"ForkJoinPool.managedBlock", Condition+".await",
			stack.JUC+"ScheduledThreadPoolExecutor$DelayedWorkQueue.take")), "worker"},
		{"a worker in a task", Thread(1, "w", Asleep("App.run")), ""},
		{"main in join", Thread(1, "main", join), "main"},
		{"another one in join",
			Thread(1, "x", at(append(wait, "java.lang.Thread.join", "App.run", "java.lang.Thread.run")...)), ""},
		{"main's method by another name", Thread(1, "x", join), "main"},
		{"a consumer", Thread(1, "x", at(append(take, "App.run", "java.lang.Thread.run")...)), "consumer"},
		{"a consumer in a lambda",
			Thread(1, "x",
				at(append(take, "App.loop", "App.lambda$main$0", "App$$Lambda/0x7f.run", "java.lang.Thread.run")...)),
			"consumer"},
		{"a take deep in the application",
			Thread(1, "x", at(append(take, "App.borrow", "App.run", "java.lang.Thread.run")...)), ""},
		{"a pool of objects",
			Thread(1, "x",
				at(UnsafePark, stack.JUC+"SynchronousQueue.poll", "com.zaxxer.hikari.util.ConcurrentBag.borrow",
					"App.run")), ""},
		{"a worker that is blocked", Thread(1, "w", IdleAt(0xa), BlockedOn(0xb)), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if r := FactsOf(test.thread).Timeline.Threads[0].Last().IdleRule(); r != nil {
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
		r := stack.ParseIdleRule(strings.TrimRight(line, "\n"))
		if r == nil || !slices.Contains([]string{"any", "main", "own", "loop", "fed"}, r.Scope) {
			t.Errorf("not understood: %s", line)
			continue
		}
		rows++
	}
	table := stack.IdleRules()
	n := len(table.Globs)
	for _, rules := range table.ByName {
		n += len(rules)
	}
	if n != rows {
		t.Errorf("%d rows, %d rules", rows, n)
	}
}
