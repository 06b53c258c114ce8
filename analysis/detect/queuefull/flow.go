package queuefull

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/loops"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// hasWorked reports whether a thread runs, or has used CPU in the capture.
func hasWorked(f *timeline.Timeline, s *timeline.Sample) bool {
	return s.Wait == stack.Running || f.History(s).Works()
}

// flows reports whether at least half of a queue's producers got room since the dump before, while those that did not
// move are the others, and its consumer works or is unknown. Which producers got room is chance.
func flows(f *locks.Locks, g waits.Group) bool {
	first := g.Waiters[0]
	if !putsWithoutEnd(first.Last()) {
		return false
	}
	served := 0
	for _, h := range f.Timeline.Alive() {
		served += finding.CountIf(gotRoom(f.Timeline, h, first.History))
	}
	consumers := loops.LikelyConsumers(f, len(f.Timeline.Snaps)-1, g.Samples())
	return served >= len(g.Waiters) &&
		(len(consumers) == 0 || slices.ContainsFunc(consumers, func(s *timeline.Sample) bool {
			return hasWorked(f.Timeline, s)
		}))
}

// gotRoom reports whether a thread has put an item, since the dump before, into the queue at which a producer has
// waited since then.
func gotRoom(f *timeline.Timeline, h, producer *timeline.History) bool {
	before := h.SampleAt(len(f.Snaps) - 2)
	if before == nil || !putsWithoutEnd(before) || !resources.WaitForSameRoom(f, h, producer, len(f.Snaps)-2) {
		return false
	}
	return !resources.WaitForSameRoom(f, h, producer, len(f.Snaps)-1) || foundRoom(h)
}

// putsWithoutEnd reports whether a thread waits in a queue of the JDK until there is room.
func putsWithoutEnd(s *timeline.Sample) bool { return s.Stack.Op.Kind == stack.OpPut && !s.Timed() }
