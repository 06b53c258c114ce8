package lockcontention

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func gradeContention(f *pools.Pools, waited []*locks.Queue, kind locks.Holder) (finding.Severity, finding.Confidence) {
	dumps := len(waited)
	switch {
	case noThreadOwns(f.Timeline, waited[dumps-1]):
		return finding.Warning, finding.Likely
	case locks.OneMoment(f.Timeline) && heldWithoutEnd(f, waited[dumps-1]):
		return finding.Warning, finding.Likely
	case seldom(f.Timeline, waited):
		return finding.Info, finding.Possible
	case kind == locks.HolderUnknown && float64(dumps) < unknownShare*float64(len(f.Timeline.Snaps)) &&
		!stoodBehind(f.Timeline, waited):
		return finding.Info, finding.Possible // it may have been free in between
	case kind == locks.HolderUnknown:
		return finding.Warning, finding.Likely
	}
	if kind == locks.HolderStuck && turnsOver(f.Timeline, waited) {
		return finding.Info, finding.Possible
	}
	severity, confidence := finding.Warning, finding.Proven
	if kind == locks.HolderStuck && lastsThrough(f.Timeline, waited) {
		severity = finding.Critical
	}
	if waited[dumps-1].IsUnnamedClass() {
		confidence = finding.Likely
	}
	return severity, confidence
}

// provesAlone reports whether the last dump is graded by itself: all dumps show the same and the owner is in I/O, or
// the dumps are too few or too close together for more. They prove no less than one dump.
func provesAlone(f *timeline.Timeline, waited []*locks.Queue) bool {
	last := waited[len(waited)-1]
	span := locks.Span(f, waited)
	own := slices.ContainsFunc(last.Waiters, func(s *timeline.Sample) bool {
		return s.Thread.Role == threaddump.Application
	})
	short := !f.Wall().Known || own && (len(f.Snaps) < loneDumps || !span.Known || span.Value < loneLeast)
	return len(waited) == len(f.Snaps) && last.Root != nil && (short || timeline.IsIO(last.Root)) &&
		locks.HolderOf(f, waited) == locks.HolderStuck
}

// seldom reports whether too few dumps show the queue, or only dumps at nearly the same time.
func seldom(f *timeline.Timeline, waited []*locks.Queue) bool {
	span := locks.Span(f, waited)
	return len(waited) < 2 || float64(len(waited)) < contentionShare*float64(len(f.Snaps)) ||
		span.Known && span.Value < timeline.ShortestMeasure
}

// isPassing reports whether only one dump of several shows a small queue, and nothing shows that its owner cannot go
// on.
func isPassing(f *facts.Facts, waited []*locks.Queue) bool {
	q := waited[0]
	return len(waited) == 1 && len(f.Timeline.Snaps) >= loneDumps && !locks.OneMoment(f.Timeline) &&
		len(q.Waiters) < locks.ManyThreads && !heldWithoutEnd(f.Pools, q) && !noThreadOwns(f.Timeline, q)
}

// mayBeOneTurn reports whether one point in time shows a small queue for a lock without a known owner: every lock that
// two threads use has such a queue now and then.
func mayBeOneTurn(f *timeline.Timeline, q *locks.Queue) bool {
	return locks.OneMoment(f) && q.Root == nil && q.Cycle == nil && q.NeedsLocks() &&
		timeline.SizeOf(q.Waiters) < locks.PoolWaiters && q.AbsentOwner(f) == "" && !noThreadOwns(f, q)
}

// turnsOver reports whether owner and waiters all wait only for a limited time, and were all woken in the capture: each
// dump may show another round. If the owner sleeps in between, the waiters need not have been woken: they may be on
// standby to take over from it.
func turnsOver(f *timeline.Timeline, waited []*locks.Queue) bool {
	last := waited[len(waited)-1]
	wakes := func(s *timeline.Sample) bool { return s.Timed() && f.Woke(f.History(s)) }
	sleeps := last.Root.Stack.Op.Kind == stack.OpSleep
	return wakes(last.Root) && !slices.ContainsFunc(last.Waiters, func(w *timeline.Sample) bool {
		return !wakes(w) && (!sleeps || !w.Timed())
	})
}

// meetAtTimes reports whether at most two dumps show a small queue, its first waiters had the lock before the second,
// and the users of the lock are elsewhere for a third of the capture: then the dumps showed them together by chance.
func meetAtTimes(f *timeline.Timeline, all, crowded []*locks.Queue) bool {
	const few = 3
	if len(crowded) > 2 || len(crowded) == len(f.Snaps) || !locks.FirstWaitersGotLock(f, crowded) {
		return false
	}
	users, waits := map[timeline.Key]bool{}, 0
	for _, q := range all {
		if timeline.SizeOf(q.Waiters) > few {
			return false
		}
		if waits += timeline.SizeOf(q.Waiters); q.Root != nil {
			users[q.Root.Thread.Key()] = true
		}
		for _, w := range q.Waiters {
			users[w.Thread.Key()] = true
		}
	}
	return 3*waits <= 2*(len(users)-1)*len(f.Snaps)
}

// stoodBehind reports whether a thread waited from the first of the queues to the last.
func stoodBehind(f *timeline.Timeline, waited []*locks.Queue) bool {
	first, last := waited[0], waited[len(waited)-1]
	return slices.ContainsFunc(last.Waiters, func(w *timeline.Sample) bool {
		h := f.History(w)
		before := h.SampleAt(first.At)
		return before != nil && slices.Contains(first.Waiters, before) && f.Unchanged(h).Dumps > last.At-first.At
	})
}

// lastsThrough reports whether the queue lasted until the last dump and for long enough.
func lastsThrough(f *timeline.Timeline, waited []*locks.Queue) bool {
	toTheEnd := waited[len(waited)-1].At == len(f.Snaps)-1
	span := locks.Span(f, waited)
	return toTheEnd && (span.Known && span.Value >= locks.StuckFor || !span.Known && len(waited) > 2)
}

// alone reports whether one thread waits in all dumps for a lock that another keeps in all of them, and neither moves.
// If the owner is in I/O, that is the finding instead.
func alone(f *timeline.Timeline, waited []*locks.Queue) bool {
	last := waited[len(waited)-1]
	if len(waited) < len(f.Snaps) || len(waited) < loneDumps || last.Cycle != nil {
		return false
	}
	if last.Root == nil || locks.HolderOf(f, waited) != locks.HolderStuck || timeline.IsIO(last.Root) {
		return false
	}
	waiters := make([]*timeline.Sample, len(waited))
	for i, q := range waited {
		waiters[i] = q.Waiters[0]
	}
	span := locks.Span(f, waited)
	return span.Known && span.Value >= loneLeast && waiters[0].Thread.Program() && locks.SameThread(waiters) &&
		!f.Moved(waiters)
}

// waitsForUnknown reports whether one thread waits over the whole capture, without a time limit, for a lock of
// java.util.concurrent whose owner is unknown.
func waitsForUnknown(f *timeline.Timeline, e *locks.Contention) bool {
	last := e.Last()
	if locks.OneMoment(f) || len(e.Queues) < len(f.Snaps) || last.Root != nil || last.Cycle != nil ||
		!last.NeedsLocks() {
		return false
	}
	w := last.Waiters[0]
	return w.Thread.Program() && !w.Timed() && f.UnchangedThroughout(last.Waiters)
}

const (
	// contentionShare is the part of the dumps that must show the queue: a lock that is busy in two of a hundred dumps
	// is healthy.
	contentionShare = 0.25
	// unknownShare is the same for a lock with an unknown owner that no thread waits for from the first of these dumps
	// to the last.
	unknownShare = 0.75
	// loneDumps and loneLeast are how many dumps must show a single waiter, and for how long.
	loneDumps = 3
	loneLeast = 1500 * time.Millisecond
)
