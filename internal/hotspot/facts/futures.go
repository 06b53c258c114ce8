package facts

import (
	"strings"

	"github.com/jstall/jstall/analysis/object"
	objects "github.com/jstall/jstall/internal/hotspot/object"
)

const (
	futureTaskClass  = juc + "FutureTask"
	completableClass = juc + "CompletableFuture"
)

// futureStates are the values of FutureTask.state.
var futureStates = []string{"NEW", "COMPLETING", "NORMAL", "EXCEPTIONAL", "CANCELLED", "INTERRUPTING", "INTERRUPTED"}

// futureTask notes a FutureTask that a thread waits for.
func (f *reader) futureTask(id int64, o objects.ID) {
	task := f.futures[o.Address]
	if task == nil {
		state, ok := f.DeclaredInt(o.Address, futureTaskClass, "state")
		if !ok || state < 0 || state >= len(futureStates) {
			return
		}
		runner := f.DeclaredThread(o.Address, futureTaskClass, "runner")
		task = &Future{Object: o, Kind: object.TaskFuture, State: futureStates[state], RunnerID: runner}
		f.futures[o.Address] = task
	}
	task.WaiterIDs = append(task.WaiterIDs, id)
}

// completable notes a CompletableFuture that a thread waits for.
func (f *reader) completable(id int64, oop uint64) {
	future := f.futures[oop]
	if future == nil {
		if _, ok := f.Declared(oop, completableClass, "result"); !ok {
			return
		}
		future = &Future{Object: f.PlainObject(oop), Kind: object.Completable, State: "NEW"}
		if _, done := f.DeclaredReference(oop, completableClass, "result"); done {
			future.State = "NORMAL"
		}
		f.futures[oop] = future
	}
	future.WaiterIDs = append(future.WaiterIDs, id)
}

const (
	// maxQueued bounds how many tasks are looked at, of all queues together.
	maxQueued = 20_000
	// maxWrappers bounds how often a task is wrapped into another.
	maxWrappers = 3
	// maxStages bounds the stages that follow a CompletableFuture.
	maxStages = 64
)

// findQueued finds which futures are in the queue of an executor.
func (f *reader) findQueued() {
	if len(f.futures) == 0 {
		return
	}
	left := maxQueued
	for at, e := range f.executors {
		if e.Queue == nil || e.Queue.Size == 0 {
			continue
		}
		tasks := f.elements(e.Queue.Object.Address, left)
		left -= len(tasks)
		for _, task := range tasks {
			f.queued(task, at)
		}
	}
}

// wrapped are the fields in which wrappers of tasks have the task.
var wrapped = []string{"delegate", "command", "runnable", "task", "val$command", "arg$1"}

// queued notes that a task is in a queue, if threads wait for what it leads to.
func (f *reader) queued(task, executor uint64) {
	for range maxWrappers {
		if f.IsA(task, futureTaskClass) {
			f.queuedFuture(task, executor)
			return
		}
		for _, kind := range [...]string{"AsyncSupply", "AsyncRun", "UniCompletion"} {
			if future, ok := f.DeclaredReference(task, completableClass+"$"+kind, "dep"); ok {
				f.queuedStages(future, executor, maxStages)
				return
			}
		}
		inner := uint64(0)
		for _, name := range wrapped {
			if to, ok := f.ReferenceField(task, name); ok {
				inner = to
				break
			}
		}
		if task = inner; task == 0 {
			return
		}
	}
}

func (f *reader) queuedFuture(at, executor uint64) {
	if future := f.futures[at]; future != nil {
		future.QueuedIn = executor
	}
}

// queuedStages follows the stages that cannot complete before a CompletableFuture does. It returns how many more
// may be looked at.
func (f *reader) queuedStages(future, executor uint64, left int) int {
	f.queuedFuture(future, executor)
	stage, _ := f.DeclaredReference(future, completableClass, "stack")
	for stage != 0 && left > 0 {
		left--
		class := f.PlainObject(stage).Class
		eitherOf := strings.Contains(class, "$Or") || strings.HasSuffix(class, "$AnyOf")
		if next, ok := f.DeclaredReference(stage, completableClass+"$UniCompletion", "dep"); ok && !eitherOf {
			left = f.queuedStages(next, executor, left)
		}
		stage, _ = f.DeclaredReference(stage, completableClass+"$Completion", "next")
	}
	return left
}
