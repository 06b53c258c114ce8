package locks

import (
	"slices"

	"jstall/analysis/object"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// awaited are the threads of a dump that other threads wait for by no lock: whose end they wait for, which run a
// task whose result they wait for, or which are subtasks of their structured scope. All are known by their ids.
type awaited struct {
	snap     *timeline.Snapshot
	places   map[int64]int   // of threads, by id
	subtasks map[int64][]int // by the id of the thread that owns the scope
	runners  map[int64]int64 // by the id of a thread that waits for the result
	ends     map[int64]int64 // by the id of a thread that waits for the end of another
}

func newAwaited(s *timeline.Snapshot) *awaited {
	a := &awaited{snap: s, subtasks: map[int64][]int{}, runners: map[int64]int64{}, ends: map[int64]int64{}}
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
	return a
}

// addObjects adds what was read from the memory of the JVM: who runs a task, and whose end is awaited.
func (a *awaited) addObjects(objects *object.Set) {
	for _, f := range objects.Futures {
		for _, waiter := range f.WaiterIDs {
			if f.Kind == object.TaskFuture && !f.Done() && f.RunnerID != 0 {
				a.runners[waiter] = f.RunnerID
			}
		}
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

// by are the places of the threads that a thread waits for; none if it waits for a lock, for a time, or for threads
// that are not known.
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
	if a.places == nil {
		a.places = byID(a.snap)
	}
	if at, known := a.places[other]; known && at != i {
		return []int{at}
	}
	return nil
}

// awaitsSubtasks recognises a thread in the method that waits for all threads of a structured scope.
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
