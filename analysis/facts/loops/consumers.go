package loops

import (
	"slices"

	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/resources"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// LikelyConsumers are the threads that should take what producers put, by evidence on their
// own stacks: another dump shows them take from such a queue, or they are in a call of the
// class that owns the queue. None if these are more than a few. One that waits for room itself,
// as between two queues, is not to blame.
func LikelyConsumers(f *locks.Locks, at int, producers []*timeline.Sample) []*timeline.Sample {
	giving := locks.StacksOf(producers)
	var consumers []*timeline.Sample
	for i := range f.Snaps[at].Samples {
		s := &f.Snaps[at].Samples[i]
		if !resources.IsBusy(s) || slices.Contains(producers, s) ||
			resources.HasWaitedForRoom(f.Timeline, s, producers[0]) || locks.SleepsRepeatedly(f.Timeline, at, s) {
			continue
		}
		if s.Stack.Op.Kind == stack.OpTake || s.Wait.ForLock() && slices.Contains(producers, LastOwner(f, s)) {
			continue // it waits for an item itself, or stands behind a producer
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
