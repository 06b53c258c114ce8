package locks

import (
	"slices"
	"time"

	"jstall/analysis/timeline"
)

// Holder is what the owner of a contended lock does over several dumps.
type Holder uint8

const (
	HolderUnknown Holder = iota // the dumps do not tell who holds it
	holderOnce                  // seen in one dump only
	HolderStuck                 // one owner, and nothing in it moves
	holderWorks                 // one owner that goes on
	HolderChanges               // the lock goes round, the queue stays
)

// HolderOf tells what the owner of a lock does over the queues of an episode.
func HolderOf(f *timeline.Timeline, waited []*Queue) Holder {
	var roots []*timeline.Sample
	silent := 0
	for _, q := range waited {
		switch {
		case q.Root != nil:
			roots = append(roots, q.Root)
		case q.NeedsLocks():
			silent++ // a dump without -l, which takes nothing away from another with it
		}
	}
	switch {
	case len(roots) == 0:
		return HolderUnknown
	case len(waited) == 1:
		return holderOnce
	case (silent > 0 || !SameThread(roots)) && !sameLock(waited):
		return holderWorks // what the first ones hold, they keep behind the others
	case len(roots)+silent < len(waited) || !SameThread(roots), isQueued(f, roots[0], waited):
		return HolderChanges
	case f.Moved(throughout(f, roots[0], waited)):
		return holderWorks
	}
	return HolderStuck
}

// FirstWaitersGotLock reports that all in the first of some queues wait without end, and had the lock
// before the last of them: they stand elsewhere, or used CPU in between.
func FirstWaitersGotLock(f *timeline.Timeline, waited []*Queue) bool {
	first, last := waited[0], waited[len(waited)-1]
	return !slices.ContainsFunc(first.Waiters, func(w *timeline.Sample) bool {
		return w.Timed() || stoodFrom(f, w, first.At, last.At)
	})
}

// stoodFrom reports that nothing shows a thread to have moved from one dump to another.
func stoodFrom(f *timeline.Timeline, s *timeline.Sample, from, to int) bool {
	h := f.History(s)
	for at := from + 1; at <= to; at++ {
		before, now := h.SampleAt(at-1), h.SampleAt(at)
		if before != nil && now != nil && !timeline.Stayed(before, now) {
			return false
		}
	}
	return true
}

// queues reports that a thread stands in one of the queues itself.
func isQueued(f *timeline.Timeline, s *timeline.Sample, waited []*Queue) bool {
	return slices.ContainsFunc(waited, func(q *Queue) bool {
		return slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool { return w.Thread.Key() == s.Thread.Key() })
	})
}

// throughout are a thread's samples in the dumps of some queues.
func throughout(f *timeline.Timeline, s *timeline.Sample, waited []*Queue) []*timeline.Sample {
	var samples []*timeline.Sample
	for _, q := range waited {
		if at := f.History(s).SampleAt(q.At); at != nil {
			samples = append(samples, at)
		}
	}
	return samples
}

// LastOwned is the last of some queues whose owner is known, nil if none is.
func LastOwned(waited []*Queue) *Queue {
	for _, q := range slices.Backward(waited) {
		if q.Root != nil {
			return q
		}
	}
	return nil
}

// SameThread reports that all samples are of one thread.
func SameThread(samples []*timeline.Sample) bool {
	for _, s := range samples {
		if s.Thread.Key() != samples[0].Thread.Key() {
			return false
		}
	}
	return true
}

// sameLock reports that all queues are for a lock of one class.
func sameLock(waited []*Queue) bool {
	return !slices.ContainsFunc(waited, func(q *Queue) bool { return q.Class != waited[0].Class })
}

// Span is the time from the first queue to the last.
func Span(f *timeline.Timeline, waited []*Queue) timeline.Opt[time.Duration] {
	return f.Between(int32(waited[0].At), int32(waited[len(waited)-1].At))
}

// StuckFor is how long an owner must have stood still before it counts as
// stuck and not as slow.
const StuckFor = time.Second
