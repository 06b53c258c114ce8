package analysis_test

import (
	"fmt"
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// BenchmarkDiagnoseStalled diagnoses three dumps of a server whose 5,000 threads are all in the same wait: code that
// scans all threads for each of them is slow here.
func BenchmarkDiagnoseStalled(b *testing.B) {
	const n = 5000
	const condition = stack.JUC + "locks.AbstractQueuedSynchronizer$ConditionObject"
	alone := []string{"App.deep", "App.work", "java.lang.Thread.run"}
	task := []string{"App.deep", "App.work", stack.JUC + "FutureTask.run", stack.JUC + "ThreadPoolExecutor.runWorker",
		stack.JUC + "ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}
	reads := func(below []string) func(int) []Part {
		return func(int) []Part {
			return []Part{At(append([]string{"!sun.nio.ch.SocketDispatcher.read0",
				"java.net.Socket$SocketInputStream.read"}, below...)...)}
		}
	}
	waits := func(below []string, class, method string, apart uint64) func(int) []Part {
		return func(i int) []Part { return []Part{At(below...), Calls(class, 0xa0+apart*uint64(i), method)} }
	}
	for _, server := range []struct {
		name, threads string
		parts         func(i int) []Part
	}{
		{"read", "c-%d", reads(alone)},
		{"read in one executor", "pool-1-thread-%d", reads(task)},
		{"read in executors of one thread", "pool-%d-thread-1", reads(task)},
		{"permits of one semaphore", "c-%d",
			waits(alone, stack.JUC+"Semaphore$NonfairSync", stack.JUC+"Semaphore.acquire", 0)},
		{"latches of tasks", "pool-1-thread-%d",
			waits(task, stack.JUC+"CountDownLatch$Sync", stack.JUC+"CountDownLatch.await", 16)},
		{"results of tasks", "pool-1-thread-%d", waits(task, stack.JUC+"FutureTask", stack.JUC+"FutureTask.get", 16)},
		{"room in one queue", "c-%d", waits(alone, condition, stack.JUC+"ArrayBlockingQueue.put", 0)},
		{"a lock each", "c-%d",
			waits(alone, stack.JUC+"locks.ReentrantLock$NonfairSync", stack.JUC+"locks.ReentrantLock.lock", 16)},
		{"notifies among the paced", "c-%d", func(i int) []Part {
			if i%2 == 0 {
				return []Part{At("!java.lang.Thread.sleep", "App.pace", "java.lang.Thread.run"), Sleeping}
			}
			return []Part{At(append([]string{"!java.lang.Object.wait"}, alone...)...), WaitingState,
				func(t *threaddump.Thread) {
					LockOn(t, threaddump.WaitingOn, uint64(0xa0+i*16), "Gate")
				}}
		}},
		{"chain", "c-%d", func(i int) []Part {
			return []Part{At(alone...), Holds(uint64(0x1000 + i*16)), BlockedOn(uint64(0x1000 + (i+1)*16))}
		}},
	} {
		b.Run(server.name, func(b *testing.B) {
			all := stalledLook(n, server.threads, server.parts)
			for b.Loop() {
				if r := Diagnose(all...); len(r.Threads) < n {
					b.Fatal("threads are missing")
				}
			}
		})
	}
}

// stalledLook is three dumps of so many threads.
func stalledLook(n int, name string, parts func(i int) []Part) []timeline.Observation {
	var all []timeline.Observation
	for i := range 3 {
		threads := make([]*threaddump.Thread, n)
		tasks := make(map[int64]timeline.Task, n)
		for k := range threads {
			threads[k] = Thread(int64(k+1), fmt.Sprintf(name, k), append(parts(k), Used(1, 9))...)
			if threads[k].State == threaddump.TimedWaiting {
				Used(1+0.001*float64(i), 9)(threads[k]) // it comes round
			}
			tasks[threads[k].NativeID] = timeline.Task{State: "S", File: "client-socket", Peer: "10.0.0.5:5432"}
		}
		o := Observe(float64(i), threads...)
		o.Tasks = tasks
		all = append(all, o)
	}
	return all
}
