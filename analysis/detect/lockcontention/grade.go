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
	case nobodyReleases(f.Timeline, waited[dumps-1]):
		return finding.Warning, finding.Likely
	case locks.OneMoment(f.Timeline) && heldWithoutEnd(f, waited[dumps-1]):
		return finding.Warning, finding.Likely
	case seldom(f.Timeline, waited):
		return finding.Info, finding.Possible
	case kind == locks.HolderUnknown && float64(dumps) < unknownShare*float64(len(f.Snaps)) &&
		!stoodBehind(f.Timeline, waited):
		return finding.Info, finding.Possible // in between it was free, for all that is known
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

// provesAlone reports that the last dump is judged by itself, as all dumps show the same and the owner is in I/O, or
// the dumps are too few or too close together for more: they say no less than one.
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

// seldom reports that too few dumps show the queue, or dumps of nearly one moment.
func seldom(f *timeline.Timeline, waited []*locks.Queue) bool {
	span := locks.Span(f, waited)
	return len(waited) < 2 || float64(len(waited)) < contentionShare*float64(len(f.Snaps)) ||
		span.Known && span.Value < timeline.ShortestMeasure
}

// isPassing reports a small queue that one dump of several shows, while nothing says that its owner cannot go on.
func isPassing(f *facts.Facts, waited []*locks.Queue) bool {
	q := waited[0]
	return len(waited) == 1 && len(f.Snaps) >= loneDumps && !locks.OneMoment(f.Timeline) &&
		len(q.Waiters) < locks.ManyThreads && !heldWithoutEnd(f.Pools, q) && !nobodyReleases(f.Timeline, q)
}

// mayBeOneTurn reports that one moment shows a small queue for a lock whose owner it does not name: every lock that two
// threads use has such moments.
func mayBeOneTurn(f *timeline.Timeline, q *locks.Queue) bool {
	return locks.OneMoment(f) && q.Root == nil && q.Cycle == nil && q.NeedsLocks() &&
		timeline.SizeOf(q.Waiters) < locks.PoolWaiters && q.AbsentOwner(f) == "" && !nobodyReleases(f, q)
}

// turnsOver reports that owner and waiters all wait for a limited time only, and were all
// woken in the capture: each dump may have met another round of theirs. Where the owner sleeps in
// between, the waiters need not have been woken: they may stand by to take over from it.
func turnsOver(f *timeline.Timeline, waited []*locks.Queue) bool {
	last := waited[len(waited)-1]
	wakes := func(s *timeline.Sample) bool { return s.Timed() && f.Woke(f.History(s)) }
	sleeps := last.Root.Stack.Op.Kind == stack.OpSleep
	return wakes(last.Root) && !slices.ContainsFunc(last.Waiters, func(w *timeline.Sample) bool {
		return !wakes(w) && (!sleeps || !w.Timed())
	})
}

// meetAtTimes reports that at most two dumps show a small queue, whose first waiters had the lock before the second,
// and that the users of the lock are elsewhere for a third of the capture: the dumps met them together by chance.
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

// stoodBehind reports that a thread waited from the first of the queues to the last.
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

// alone tells one thread that waits in all dumps for what another keeps in all of them,
// and nothing moves in either. Where the owner stands in I/O, that is the finding.
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
	// contentionShare is the part of the dumps that must show them: a lock seen
	// busy twice in a hundred dumps does its work.
	contentionShare = 0.25
	// unknownShare is the same for a lock whose owner is not known, and that no thread waits for from the first of
	// these dumps to the last.
	unknownShare = 0.75
	// loneDumps and loneLeast are how many dumps must show one waiter alone, and for how long.
	loneDumps = 3
	loneLeast = 1500 * time.Millisecond
)
