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

// Contended returns the queues of the episode with enough waiters to be contention.
func (e *Contention) Contended() []*Queue {
	var crowded []*Queue
	for _, q := range e.Queues {
		if len(q.Waiters) >= ContentionWaiters {
			crowded = append(crowded, q)
		}
	}
	return crowded
}

// Contentions follows the queues of all dumps. The GC may move a lock's object between dumps, so a queue is also the
// same if it has the same class and a common owner or waiter. Threads that did not move and still wait make it the same
// too: a dump that shows more owners follows their chain further, to another lock.
func (f *Locks) Contentions() []*Contention {
	t := contentionIndex{waits: map[timeline.Key]lastWait{}, byLock: map[lockID]*Contention{},
		byRoot: map[timeline.Key]*Contention{}}
	for at := range f.Timeline.Snaps {
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

// contentionIndex finds the episode that the next queue belongs to.
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

// continued finds the episode that has most in common with a queue: waiters (most of all those that did not move), the
// lock, and its owner. An episode of a lock of another class matches only by waiters that did not move. It is nil if no
// episode matches.
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
	HolderUnknown Holder = iota // the dumps do not show the owner
	HolderOnce                  // seen in one dump only
	HolderStuck                 // one owner, and nothing in it moves
	holderWorks                 // one owner that makes progress
	HolderChanges               // the owner changes, the queue stays
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
			silent++ // a dump without -l does not contradict one with it
		}
	}
	switch {
	case len(roots) == 0:
		return HolderUnknown
	case len(waited) == 1:
		return HolderOnce
	case (silent > 0 || !SameThread(roots)) && !sameLock(waited):
		return holderWorks // the first owners keep their locks while they wait for others
	case len(roots)+silent < len(waited) || !SameThread(roots), isQueued(f, roots[0], waited):
		return HolderChanges
	case f.Moved(throughout(f, roots[0], waited)):
		return holderWorks
	}
	return HolderStuck
}

// FirstWaitersGotLock reports whether all waiters of the first queue wait without a time limit and had the lock before
// the last queue: they are in another place, or used CPU in between.
func FirstWaitersGotLock(f *timeline.Timeline, waited []*Queue) bool {
	first, last := waited[0], waited[len(waited)-1]
	return !slices.ContainsFunc(first.Waiters, func(w *timeline.Sample) bool {
		return w.Timed() || mayHaveStayed(f, w, first.At, last.At)
	})
}

// mayHaveStayed reports whether a thread may have stayed where it was from one dump to another.
func mayHaveStayed(f *timeline.Timeline, s *timeline.Sample, from, to int) bool {
	h := f.History(s)
	for at := from + 1; at <= to; at++ {
		before, now := h.SampleAt(at-1), h.SampleAt(at)
		if before != nil && now != nil && !timeline.Stayed(before, now) {
			return false
		}
	}
	return true
}

// isQueued reports whether a thread itself waits in one of the queues.
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

// LastOwned is the last queue with a known owner, nil if no queue has one.
func LastOwned(waited []*Queue) *Queue {
	for _, q := range slices.Backward(waited) {
		if q.Root != nil {
			return q
		}
	}
	return nil
}

// SameThread reports whether all samples are of one thread.
func SameThread(samples []*timeline.Sample) bool {
	for _, s := range samples {
		if s.Thread.Key() != samples[0].Thread.Key() {
			return false
		}
	}
	return true
}

// sameLock reports whether all queues are for a lock of one class.
func sameLock(waited []*Queue) bool {
	return !slices.ContainsFunc(waited, func(q *Queue) bool { return q.Class != waited[0].Class })
}

// Span is the time from the first queue to the last.
func Span(f *timeline.Timeline, waited []*Queue) timeline.Opt[time.Duration] {
	return f.Between(int32(waited[0].At), int32(waited[len(waited)-1].At))
}

// StuckFor is how long an owner must have been unchanged to count as stuck and not as slow.
const StuckFor = time.Second
