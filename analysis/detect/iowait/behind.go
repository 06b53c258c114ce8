package iowait

import (
	"slices"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/locks"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// behindIO are the threads that wait for what some threads in I/O do: callers of
// executors all of whose workers these are, callers of a hand-made pool, and threads that join
// a thread of the same class. A single thread that waits for a lock of one is no contention,
// and is told here.
func behindIO(f *iowaits.Waits, waiters []iowaits.Waiter) []*timeline.Sample {
	stands := map[*timeline.History]bool{}
	for _, w := range waiters {
		stands[w.H] = true
	}
	var behind []*timeline.History
	for _, p := range f.Executors() {
		if p.FullOf(stands) {
			behind = append(behind, f.CallersOf(p)...)
		}
	}
	for _, q := range f.QueuesAt(len(f.Snaps) - 1) {
		if len(q.Waiters) < locks.ContentionWaiters && q.Root != nil && stands[f.History(q.Root)] &&
			!iowaits.IsBlockedReaper(q.Waiters[0]) {
			behind = append(behind, f.History(q.Waiters[0]))
		}
	}
	if slices.ContainsFunc(waiters, func(w iowaits.Waiter) bool {
		return w.Awaited && !stack.IsTask(w.H.Last().Stack) && !f.ConnectsToSelf(w.H)
	}) {
		behind = append(behind, f.Awaiting().SignalCallers...)
	}
	behind = append(behind, behindEach(f, waiters, stands)...)
	var samples []*timeline.Sample
	for _, h := range behind {
		if !stands[h] {
			samples = append(samples, h.Last())
			stands[h] = true // told once
		}
	}
	return samples
}

// behindEach are the threads that wait for what one of the threads in I/O loads, ends or computes.
func behindEach(f *iowaits.Waits, waiters []iowaits.Waiter, stands map[*timeline.History]bool) []*timeline.History {
	var behind []*timeline.History
	ended := classesOfOthers(f.Timeline, stands)
	for _, w := range waiters {
		behind = append(behind, f.LoadsFor(w.H)...)
		if w.Joined && !ended[iowaits.BottomClass(w.H)] {
			behind = append(behind, f.JoinersOf(w.H)...)
		}
		if w.ChildPipe {
			behind = append(behind, libraryJoiners(f.Timeline, w.H)...)
		}
		behind = append(behind, wantResultOf(f, w.H)...)
	}
	return behind
}

// wantResultOf are the threads that wait for a result in the method whose lambda a task runs.
func wantResultOf(f *iowaits.Waits, task *timeline.History) []*timeline.History {
	var found []*timeline.History
	for _, o := range f.Awaiting().Results {
		if o != task && o.Last().Stack.DefinesTask(task.Last().Stack) {
			found = append(found, o)
		}
	}
	return found
}

// classesOfOthers are the classes that further threads than these were started with: who
// joins one of those may join none of these.
func classesOfOthers(f *timeline.Timeline, these map[*timeline.History]bool) map[string]bool {
	classes := map[string]bool{}
	for _, o := range f.Alive() {
		if !these[o] && o.Thread.Program() && iowaits.Joinable(o) && o.Last().Stack.Op.Kind != stack.OpJoin {
			classes[iowaits.BottomClass(o)] = true
		}
	}
	return classes
}
