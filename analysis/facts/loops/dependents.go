package loops

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// WaitersOn returns the threads that wait for a signal, a result or an answer inside a class that the loops are in,
// too.
func WaitersOn(f *timeline.Timeline, singles []*timeline.History) []*timeline.History {
	mine, root := singles[0].Last().Stack.Outer, singles[0].Last().Stack.Root
	runsTimer := root != nil && root.Kind == stack.RootTimer // and no task of an executor
	var found []*timeline.History
	for _, h := range f.Alive() {
		s := h.Last()
		if h.Thread.Role != threaddump.Application || s.Thread.Name == "main" || slices.Contains(singles, h) ||
			h.SurelyIdle() || !endsByOther(s.Stack.Op.Kind) || runsTimer && pools.WaitsForFutureTask(s.Stack) ||
			len(f.Snaps) > 1 && !f.IsUnchanged(h) {
			continue
		}
		if slices.ContainsFunc(s.Stack.Outer, func(c string) bool { return slices.Contains(mine, c) }) {
			found = append(found, h)
		}
	}
	return found
}

// endsByOther reports whether another thread of the program ends the wait.
func endsByOther(kind stack.OpKind) bool {
	switch kind {
	case stack.OpResult, stack.OpLatch, stack.OpBarrier, stack.OpCondition, stack.OpNotify, stack.OpPark,
		stack.OpExchange, stack.OpTake, stack.OpRead, stack.OpTermination, stack.OpPermit:
		return true
	}
	return false
}

// MayBringResult reports whether the thread waits for a result while another thread makes progress in a task that may
// bring it.
func MayBringResult(f *pools.Pools, s *timeline.Sample) bool {
	return s.Stack.Op.Kind == stack.OpResult && len(f.RunnersOfTasks().MovingTasks) > 0
}

// LastOwner is the thread at the root of what a thread waits for, nil if it waits for no lock or the lock has no known
// owner.
func LastOwner(f *locks.Locks, s *timeline.Sample) *timeline.Sample {
	g := f.Graph(len(f.Timeline.Snaps) - 1)
	for _, i := range g.Waiting {
		if &g.Snap.Samples[i] == s && g.Ends[i].Root != locks.None {
			return &g.Snap.Samples[g.Ends[i].Root]
		}
	}
	return nil
}

// LikelyConsumers returns the threads that should take what producers put, by evidence on their own stacks: another
// dump shows them take from such a queue, or they are in a call of the class that owns the queue. If more than a few
// threads match, it returns no thread. A thread that itself waits for room, as between two queues, is not to blame.
func LikelyConsumers(f *locks.Locks, at int, producers []*timeline.Sample) []*timeline.Sample {
	giving := locks.StacksOf(producers)
	var consumers []*timeline.Sample
	for i := range f.Timeline.Snaps[at].Samples {
		s := &f.Timeline.Snaps[at].Samples[i]
		if !resources.IsBusy(s) || slices.Contains(producers, s) ||
			resources.HasWaitedForRoom(f.Timeline, s, producers[0]) || locks.SleepsRepeatedly(f.Timeline, at, s) {
			continue
		}
		if s.Stack.Op.Kind == stack.OpTake || s.Wait.ForLock() && slices.Contains(producers, LastOwner(f, s)) {
			continue // it waits for an item itself, or behind a producer
		}
		owns := slices.ContainsFunc(giving, func(p *stack.Stack) bool {
			return !resources.PutsInSameMethod(p, s.Stack) && resources.CallsQueueOwner(p, s.Stack)
		})
		if owns || resources.HasTaken(f.Timeline, s, producers[0]) {
			consumers = append(consumers, s)
		}
	}
	if len(consumers) > resources.MostConsumers {
		return nil
	}
	return timeline.InNameOrder(consumers)
}
