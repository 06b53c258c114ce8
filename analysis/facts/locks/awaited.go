package locks

import (
	"slices"

	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// awaited are the threads of a dump that other threads wait for without a lock: they wait for the thread to end, for
// the result of the task that it runs, or for it as a subtask of their structured scope. All are known by their ids.
type awaited struct {
	snap     *timeline.Snapshot
	places   map[int64]int   // of threads, by id
	subtasks map[int64][]int // by the id of the thread that owns the scope
	runners  map[int64]int64 // by the id of a thread that waits for the result
	ends     map[int64]int64 // by the id of a thread that waits for the end of another
	// queues are the executors that have an awaited task in their queue, by the id of the thread that waits for its
	// result.
	queues map[int64]*object.Executor
	// stayed are the threads that were in the same call from the dump to the memory reading after it: they waited for
	// the result of the same task both times.
	stayed map[int64]bool
	// byClass are the threads that wait for the end of a thread that is known by the class of its Thread object.
	byClass map[int64]bool
}

func newAwaited(s *timeline.Snapshot) *awaited {
	a := &awaited{snap: s, subtasks: map[int64][]int{}, runners: map[int64]int64{}, ends: map[int64]int64{},
		queues: map[int64]*object.Executor{}, stayed: map[int64]bool{}, byClass: map[int64]bool{}}
	for i := range s.Samples {
		if owner := s.Samples[i].Thread.ScopeOwner; owner != 0 {
			a.subtasks[owner] = append(a.subtasks[owner], i)
		}
		if l := s.Samples[i].WaitsOn(); l != nil && l.Owner != 0 && s.Samples[i].Stack.Op.Kind == stack.OpJoin {
			a.ends[s.Samples[i].Thread.ID] = l.Owner
		}
	}
	if s.Objects != nil {
		a.addObjects(s.Objects)
	}
	a.addEndsByClass()
	return a
}

// addObjects adds what was read from the JVM's memory: the runner of a task or the queue that it is in, and the joined
// threads.
func (a *awaited) addObjects(objects *object.Set) {
	executors := map[uint64]*object.Executor{}
	for i := range objects.Executors {
		executors[objects.Executors[i].Object.Address] = &objects.Executors[i]
	}
	for i := range objects.Futures {
		a.addFuture(&objects.Futures[i], executors)
	}
	for _, j := range objects.Joins {
		a.ends[j.WaiterID] = j.ThreadID
	}
	for _, l := range objects.Synchronizers {
		for _, waiter := range l.WaiterIDs {
			if l.Kind == object.Latch && l.OwnerID != 0 {
				a.ends[waiter] = l.OwnerID
			}
		}
	}
}

// addFuture adds a task whose result threads wait for.
func (a *awaited) addFuture(f *object.Future, executors map[uint64]*object.Executor) {
	if f.Done() {
		return
	}
	for _, waiter := range f.WaiterIDs {
		if f.Kind == object.TaskFuture && f.RunnerID != 0 {
			a.runners[waiter] = f.RunnerID
		} else if e := executors[f.QueuedIn]; f.QueuedIn != 0 && e != nil {
			a.queues[waiter] = e
		}
		if i, known := a.place(waiter); known && waitsForFuture(&a.snap.Samples[i], f) {
			a.stayed[waiter] = true
		}
	}
}

// waitsForFuture reports whether a thread of the dump waits for a future that only its own task completes. If memory
// shows the thread waiting for it later, before it is done, the thread stayed in that call.
func waitsForFuture(s *timeline.Sample, f *object.Future) bool {
	l := s.WaitsOn()
	return f.Kind == object.TaskFuture && l != nil && l.Address != 0 && l.Address == f.Object.Address
}

// place is the index of a thread in the dump, by its id.
func (a *awaited) place(id int64) (int, bool) {
	if a.places == nil {
		a.places = byID(a.snap)
	}
	i, known := a.places[id]
	return i, known
}

// by returns the indexes of the threads that a thread waits for; none if it waits for a lock, for a time, or for
// unknown threads.
func (a *awaited) by(i int) []int {
	s := &a.snap.Samples[i]
	id := s.Thread.ID
	switch {
	case s.State != threaddump.Waiting || s.Wait.ForLock() || id == 0:
		return nil
	case awaitsSubtasks(s.Stack):
		return a.subtasks[id]
	}
	other := int64(0)
	switch s.Stack.Op.Kind {
	case stack.OpJoin:
		other = a.ends[id]
	case stack.OpResult:
		other = a.runners[id]
	}
	if at, known := a.place(other); known && at != i {
		return []int{at}
	}
	return nil
}

// awaitsSubtasks reports whether a thread is in the method that waits for all threads of a structured scope.
func awaitsSubtasks(s *stack.Stack) bool {
	const top = 12
	return slices.ContainsFunc(s.Frames[:min(top, len(s.Frames))], func(f *threaddump.Frame) bool {
		return f.Class == "jdk.internal.misc.ThreadFlock" && f.Method == "awaitAll"
	})
}

func byID(s *timeline.Snapshot) map[int64]int {
	m := make(map[int64]int, len(s.Samples))
	for i := range s.Samples {
		if id := s.Samples[i].Thread.ID; id != 0 {
			m[id] = i
		}
	}
	return m
}
