package facts

import (
	"math/bits"
	"slices"

	"github.com/jstall/jstall/analysis/object"
)

// threadPoolClasses are ThreadPoolExecutor and its copy with the same fields.
var threadPoolClasses = []string{juc + "ThreadPoolExecutor", "org.apache.tomcat.util.threads.ThreadPoolExecutor"}

// executorStates are the upper three bits of ThreadPoolExecutor.ctl, from -1 on.
var executorStates = []string{"RUNNING", "SHUTDOWN", "STOP", "TIDYING", "TERMINATED"}

const (
	forkJoinClass = juc + "ForkJoinPool"
	// maxWorkers bounds the workers of one executor.
	maxWorkers = 1 << 16
)

// worker notes the executor of a thread that runs a Worker of one.
func (f *reader) worker(w waiter) {
	if w.pool != 0 {
		f.forkJoinWorker(w)
	}
	for _, class := range threadPoolClasses {
		if at, ok := f.DeclaredReference(w.runnable, class+"$Worker", "this$0"); ok {
			f.threadPool(at)
		}
	}
}

// threadPool reads a ThreadPoolExecutor.
func (f *reader) threadPool(at uint64) {
	i := slices.IndexFunc(threadPoolClasses, func(class string) bool { return f.IsA(at, class) })
	if i < 0 || f.executors[at] != nil {
		return
	}
	const countBits = 29
	class := threadPoolClasses[i]
	e := &Executor{Object: f.PlainObject(at), Kind: object.ThreadPool}
	ctl, ok := f.DeclaredReference(at, class, "ctl")
	state, ok2 := f.DeclaredInt(ctl, juc+"atomic.AtomicInteger", "value")
	var okCore, okMost bool
	e.Core, okCore = f.DeclaredInt(at, class, "corePoolSize")
	e.Most, okMost = f.DeclaredInt(at, class, "maximumPoolSize")
	if !ok || !ok2 || !okCore || !okMost {
		return
	}
	e.Workers = state & (1<<countBits - 1)
	if i := state>>countBits + 1; i >= 0 && i < len(executorStates) {
		e.State = executorStates[i]
	}
	if !f.readWorkers(e, class) {
		return
	}
	if queue, ok := f.DeclaredReference(at, class, "workQueue"); ok {
		e.Queue, e.DueNanos = f.queue(queue), f.firstDue(queue)
	}
	f.executors[at] = e
}

// readWorkers reads the set of workers: each has its thread, and locks itself while it runs a task. It is false if
// the set cannot be read, or changes.
func (f *reader) readWorkers(e *Executor, class string) bool {
	set, _ := f.DeclaredReference(e.Object.Address, class, "workers")
	workers, ok := f.HashSet(set, maxWorkers)
	for _, worker := range workers {
		if id := f.DeclaredThread(worker, class+"$Worker", "thread"); id != 0 {
			e.WorkerIDs = append(e.WorkerIDs, id)
		}
		if state, ok := f.DeclaredInt(worker, synchronizerClass, "state"); ok && state > 0 {
			e.Active++
		}
	}
	slices.Sort(e.WorkerIDs)
	return ok && len(e.WorkerIDs) == e.Workers
}

// forkJoinWorker notes the pool of a ForkJoinWorkerThread.
func (f *reader) forkJoinWorker(w waiter) {
	e := f.executors[w.pool]
	if e == nil {
		parallelism, ok := f.parallelism(w.pool)
		if !ok {
			return
		}
		e = &Executor{Object: f.PlainObject(w.pool), Kind: object.ForkJoin, Core: parallelism, Most: parallelism}
		e.Queue = f.forkJoinQueues(w.pool)
		f.executors[w.pool] = e
	}
	e.Workers++
	e.WorkerIDs = append(e.WorkerIDs, w.id)
}

// parallelism is in its own field from 19 on, and before in the lower half of mode (11) or config (8).
func (f *reader) parallelism(pool uint64) (int, bool) {
	if n, ok := f.DeclaredInt(pool, forkJoinClass, "parallelism"); ok {
		return n, true
	}
	for _, name := range [...]string{"mode", "config"} {
		if n, ok := f.DeclaredInt(pool, forkJoinClass, name); ok {
			return n & 0xffff, true
		}
	}
	return 0, false
}

// forkJoinQueues counts the tasks in all queues of a ForkJoinPool: workQueues up to 11, queues later.
func (f *reader) forkJoinQueues(pool uint64) *Queue {
	const queueClass = forkJoinClass + "$WorkQueue"
	array, ok := f.DeclaredReference(pool, forkJoinClass, "queues")
	if !ok {
		array, ok = f.DeclaredReference(pool, forkJoinClass, "workQueues")
	}
	if !ok {
		return nil
	}
	all := &Queue{Object: f.PlainObject(array), Capacity: -1}
	for _, queue := range f.References(array, maxWorkers) {
		base, ok := f.DeclaredInt(queue, queueClass, "base")
		top, ok2 := f.DeclaredInt(queue, queueClass, "top")
		if n := int(int32(top - base)); ok && ok2 && n > 0 && bits.Len(uint(n)) < 30 {
			all.Size += n
		}
	}
	return all
}
