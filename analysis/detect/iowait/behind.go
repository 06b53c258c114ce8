package iowait

import (
	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// behindIO returns the threads that wait for one of these threads in I/O: callers of an executor whose workers are all
// in I/O, threads that wait for a value that it loads or for the result of its task, threads that join it, and the only
// thread that waits for a lock that it holds. Several threads behind a lock are a finding of another kind
// (lock-contention).
func behindIO(f *iowaits.Waits, waiters []iowaits.Waiter) []*timeline.Sample {
	known := map[*timeline.History]bool{}
	for _, w := range waiters {
		known[w.H] = true
	}
	var behind []*timeline.History
	for _, p := range f.Pools.Executors() {
		if p.FullOf(known) {
			behind = append(behind, f.Pools.CallersOf(p)...)
		}
	}
	for _, q := range f.Locks.QueuesAt(len(f.Timeline.Snaps) - 1) {
		if len(q.Waiters) < locks.ContentionWaiters && q.Root != nil && known[f.Timeline.History(q.Root)] {
			behind = append(behind, f.Timeline.History(q.Waiters[0]))
		}
	}
	others := classesOfOthers(f.Timeline, known)
	for _, w := range waiters {
		behind = append(behind, f.LoadsFor(w.H)...)
		if w.Joined && !others[iowaits.BottomClass(w.H)] {
			behind = append(behind, f.JoinersOf(w.H)...)
		}
		for _, o := range f.Awaiting().Results {
			if o.Last().Stack.DefinesTask(w.H.Last().Stack) {
				behind = append(behind, o)
			}
		}
	}
	var samples []*timeline.Sample
	for _, h := range behind {
		if !known[h] {
			samples = append(samples, h.Last())
			known[h] = true // count each thread once
		}
	}
	return samples
}

// classesOfOthers returns the classes that other threads were started with: a thread that joins a thread of such a
// class may be waiting for one of those others.
func classesOfOthers(f *timeline.Timeline, these map[*timeline.History]bool) map[string]bool {
	classes := map[string]bool{}
	for _, o := range f.Alive() {
		if !these[o] && o.Thread.Program() && iowaits.Joinable(o) && o.Last().Stack.Op.Kind != stack.OpJoin {
			classes[iowaits.BottomClass(o)] = true
		}
	}
	return classes
}
