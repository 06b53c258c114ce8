package locks

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
)

// Contention is a queue over time: one lock that threads wait for in one dump after the other.
type Contention struct {
	Queues []*Queue
}

// Last is the queue in the last dump that has it.
func (e *Contention) Last() *Queue { return e.Queues[len(e.Queues)-1] }

// Contended are the queues of the episode with enough waiters to be contention.
func (e *Contention) Contended() []*Queue {
	var crowded []*Queue
	for _, q := range e.Queues {
		if len(q.Waiters) >= ContentionWaiters {
			crowded = append(crowded, q)
		}
	}
	return crowded
}

// Contentions follows the queues of all dumps. The collector may move a lock's object between dumps, so that beside
// its address its class with a common owner or waiter makes it the same. So do waiters that stand where they stood: a
// dump that tells more owners follows their chain further, to another lock.
func (f *Locks) Contentions() []*Contention {
	t := contentionIndex{waits: map[timeline.Key]lastWait{}, byLock: map[lockID]*Contention{},
		byRoot: map[timeline.Key]*Contention{}}
	for at := range f.Snaps {
		for _, q := range f.QueuesAt(at) {
			e := t.continued(q)
			if e == nil {
				e = &Contention{}
				t.all = append(t.all, e)
			}
			e.Queues = append(e.Queues, q)
			t.note(e, q)
		}
	}
	return t.all
}

// contentionIndex finds the episode that the next queue continues.
type contentionIndex struct {
	all    []*Contention
	waits  map[timeline.Key]lastWait // the last one of each thread
	byLock map[lockID]*Contention
	byRoot map[timeline.Key]*Contention
}

type lastWait struct {
	episode *Contention
	at      int
	sample  *timeline.Sample
}

func (t *contentionIndex) note(e *Contention, q *Queue) {
	t.byLock[q.Lock] = e
	if q.Root != nil {
		t.byRoot[q.Root.Thread.Key()] = e
	}
	for _, w := range q.Waiters {
		t.waits[w.Thread.Key()] = lastWait{e, q.At, w}
	}
}

// continued finds the episode that a queue has most in common with, nil if none:
// waiters, most of all those that stand where they stood, the lock, and its owner.
// One for a lock of another class is the same by waiters that stand still alone.
func (t *contentionIndex) continued(q *Queue) *Contention {
	var best *Contention
	most := 0
	common := map[*Contention]int{}
	vote := func(e *Contention, votes int) {
		if e == nil || e.Last().At >= q.At {
			return
		}
		if common[e] += votes; common[e] > most {
			best, most = e, common[e]
		}
	}
	if e := t.byLock[q.Lock]; e != nil && e.Last().Class == q.Class {
		vote(e, 1+len(q.Waiters)/2)
	}
	if q.Root != nil {
		if e := t.byRoot[q.Root.Thread.Key()]; e != nil && e.Last().Class == q.Class {
			vote(e, 1)
		}
	}
	for _, w := range q.Waiters {
		then, ok := t.waits[w.Thread.Key()]
		if !ok || then.at != then.episode.Last().At {
			continue
		}
		if then.sample.Stack == w.Stack && then.sample.WaitClass() == w.WaitClass() {
			vote(then.episode, 2)
		} else if then.episode.Last().Class == q.Class {
			vote(then.episode, 1)
		}
	}
	return best
}

// Holder is what the owner of a contended lock does over several dumps.
type Holder uint8

const (
	HolderUnknown Holder = iota // the dumps do not tell who holds it
	HolderOnce                  // seen in one dump only
	HolderStuck                 // one owner, and nothing in it moves
	holderWorks                 // one owner that goes on
	HolderChanges               // the lock goes round, the queue stays
)

// HolderOf describes what the owner of a lock does over the queues of an episode.
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
		return HolderOnce
	case (silent > 0 || !SameThread(roots)) && !sameLock(waited):
		return holderWorks // what the first ones hold, they keep behind the others
	case len(roots)+silent < len(waited) || !SameThread(roots), isQueued(f, roots[0], waited):
		return HolderChanges
	case f.Moved(throughout(f, roots[0], waited)):
		return holderWorks
	}
	return HolderStuck
}

// FirstWaitersGotLock reports whether all waiters of the first queue wait without a time limit, and had the lock before
// the last one: they are in another place, or used CPU in between.
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

// isQueued reports whether a thread waits in one of the queues itself.
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

// StuckFor is how long an owner must have been unchanged before it counts as stuck and not as slow.
const StuckFor = time.Second
