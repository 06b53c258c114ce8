package locks

import (
	"cmp"
	"slices"
	"time"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Queue is the threads of one dump that wait, one behind the other, for the same
// thread to give up a lock.
type Queue struct {
	At      int
	Lock    lockID           // that the root holds, the one most threads wait for
	Class   string           // of the lock's object
	locks   int              // how many the root holds that are waited for
	Direct  int              // how many wait for one of these, and not behind another waiter
	Root    *timeline.Sample // nil if the dump does not tell who holds the lock
	Waiters []*timeline.Sample
	Cycle   *Cycle // the deadlock the chain ends in, nil if none
}

// QueuesAt groups the waiting threads of one dump by the root of their chain, or
// by the lock where its owner is unknown.
func (f *Locks) QueuesAt(at int) []*Queue {
	g := f.Graph(at)
	byEnd := map[chainEnd]*Queue{}
	var waited []*Queue
	for _, i := range g.Waiting {
		end := g.Ends[i]
		if end.cycle != None && g.inCycle[i] {
			continue // a member waits for nobody but the other members
		}
		q := byEnd[end]
		if q == nil {
			q = f.newQueue(g, at, end.Root)
			byEnd[end] = q
			waited = append(waited, q)
		}
		q.Waiters = append(q.Waiters, &g.Snap.Samples[i])
	}
	for _, q := range waited {
		q.nameLock(g)
	}
	return waited
}

func (f *Locks) newQueue(g *Graph, at, root int) *Queue {
	q := &Queue{At: at}
	if root != None {
		q.Root = &g.Snap.Samples[root]
		q.Cycle = f.cycleWith(q.Root, at)
	}
	return q
}

// nameLock chooses, of all locks that the root holds, the one that most threads
// wait for directly.
func (q *Queue) nameLock(g *Graph) {
	direct := map[lockID]int{}
	class := map[lockID]string{}
	for _, w := range q.Waiters {
		id, ok := lockOf(w)
		if !ok {
			continue
		}
		owner, known := g.owner[id]
		if known && &g.Snap.Samples[owner] == q.Root || !known && q.Root == nil {
			direct[id]++
			class[id] = w.WaitsOn().Class
		}
	}
	q.locks = len(direct)
	for _, n := range direct {
		q.Direct += n
	}
	for id, n := range direct {
		if best := direct[q.Lock]; n > best || n == best && id.before(q.Lock) {
			q.Lock, q.Class = id, class[id]
		}
	}
}

func (id lockID) before(other lockID) bool {
	return cmp.Or(cmp.Compare(id.Address, other.Address), cmp.Compare(id.class, other.class)) < 0
}

// cycleWith finds the deadlock that a thread of one dump is a member of.
func (f *Locks) cycleWith(s *timeline.Sample, at int) *Cycle {
	for _, c := range f.Cycles {
		for _, m := range c.Members {
			if m.Sample != nil && m.Sample.Thread.Key() == s.Thread.Key() && c.At >= at {
				return c
			}
		}
	}
	return nil
}

// Episode is a queue over time: one lock that threads wait for in one dump after
// the other.
type Episode struct {
	Queues []*Queue
}

func (e *Episode) Last() *Queue { return e.Queues[len(e.Queues)-1] }

// Episodes follows the queues of all dumps. The collector may move a lock's
// object between dumps, so that beside its address its class with a common owner
// or waiter makes it the same. So do waiters that stand where they stood: a dump
// that tells more owners follows their chain further, to another lock.
func (f *Locks) Episodes() []*Episode {
	t := trail{waits: map[timeline.Key]wait{}, byLock: map[lockID]*Episode{}, byRoot: map[timeline.Key]*Episode{}}
	for at := range f.Snaps {
		for _, q := range f.QueuesAt(at) {
			e := t.continued(q)
			if e == nil {
				e = &Episode{}
				t.all = append(t.all, e)
			}
			e.Queues = append(e.Queues, q)
			t.note(e, q)
		}
	}
	return t.all
}

// trail is what tells which episode the next queue goes on with.
type trail struct {
	all    []*Episode
	waits  map[timeline.Key]wait // the last one of each thread
	byLock map[lockID]*Episode
	byRoot map[timeline.Key]*Episode
}

type wait struct {
	episode *Episode
	at      int
	sample  *timeline.Sample
}

func (t *trail) note(e *Episode, q *Queue) {
	t.byLock[q.Lock] = e
	if q.Root != nil {
		t.byRoot[q.Root.Thread.Key()] = e
	}
	for _, w := range q.Waiters {
		t.waits[w.Thread.Key()] = wait{e, q.At, w}
	}
}

// continued finds the episode that a queue has most in common with, nil if none:
// waiters, most of all those that stand where they stood, the lock, and its owner.
// One for a lock of another class is the same by waiters that stand still alone.
func (t *trail) continued(q *Queue) *Episode {
	var best *Episode
	most := 0
	common := map[*Episode]int{}
	vote := func(e *Episode, votes int) {
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

// Crowded are the queues of the episode with enough waiters to be contention.
func (e *Episode) Crowded() []*Queue {
	var crowded []*Queue
	for _, q := range e.Queues {
		if len(q.Waiters) >= ContentionWaiters {
			crowded = append(crowded, q)
		}
	}
	return crowded
}

// Holder says what the owner of a contended lock is seen to do over an episode.
type Holder uint8

const (
	HolderUnknown Holder = iota // the dumps do not tell who holds it
	holderOnce                  // seen in one dump only
	HolderStuck                 // one owner, and nothing in it moves
	holderWorks                 // one owner that goes on
	HolderChanges               // the lock goes round, the queue stays
)

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
	case len(roots)+silent < len(waited) || !SameThread(roots), queues(f, roots[0], waited):
		return HolderChanges
	case f.Moved(throughout(f, roots[0], waited)):
		return holderWorks
	}
	return HolderStuck
}

// WentOn reports that all in the first of some queues wait without end, and had the lock
// before the last of them: they stand elsewhere, or used CPU in between.
func WentOn(f *timeline.Timeline, waited []*Queue) bool {
	first, last := waited[0], waited[len(waited)-1]
	return !slices.ContainsFunc(first.Waiters, func(w *timeline.Sample) bool {
		return w.Timed() || stoodFrom(f, w, first.At, last.At)
	})
}

// stoodFrom reports that nothing shows a thread to have moved from one dump to another.
func stoodFrom(f *timeline.Timeline, s *timeline.Sample, from, to int) bool {
	h := f.History(s)
	for at := from + 1; at <= to; at++ {
		if before, now := SampleAt(h, at-1), SampleAt(h, at); before != nil && now != nil && !timeline.Stayed(before, now) {
			return false
		}
	}
	return true
}

// Forgotten tells a lock of java.util.concurrent whose owner is an idle worker of the
// JDK: nothing on its stack can have taken it, so that a task did which has ended.
func (q *Queue) Forgotten() bool {
	if q.Root == nil || q.Root.Resting() == nil || slices.ContainsFunc(q.Root.Stack.Frames, func(f *threaddump.Frame) bool { return stack.OriginOf(f) != stack.OfJDK }) {
		return false
	}
	l := q.Root.Holding(q.Lock.Address)
	return l != nil && l.Op == threaddump.OwnsSynchronizer
}

// NeedsLocks tells a lock whose owner only a dump with locks (-l) names.
func (q *Queue) NeedsLocks() bool {
	return slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool {
		l := w.WaitsOn()
		return l != nil && l.Address == q.Lock.Address && l.Op == threaddump.Parking
	})
}

// queues reports that a thread stands in one of the queues itself.
func queues(f *timeline.Timeline, s *timeline.Sample, waited []*Queue) bool {
	return slices.ContainsFunc(waited, func(q *Queue) bool {
		return slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool { return w.Thread.Key() == s.Thread.Key() })
	})
}

// throughout are a thread's samples in the dumps of some queues.
func throughout(f *timeline.Timeline, s *timeline.Sample, waited []*Queue) []*timeline.Sample {
	var samples []*timeline.Sample
	for _, q := range waited {
		if at := SampleAt(f.History(s), q.At); at != nil {
			samples = append(samples, at)
		}
	}
	return samples
}

// Owned is the last of some queues whose owner is known, nil if none is.
func Owned(waited []*Queue) *Queue {
	for _, q := range slices.Backward(waited) {
		if q.Root != nil {
			return q
		}
	}
	return nil
}

// OwnAs takes the owner that another dump tells, now as this dump shows it, if it
// does; and the lock that one holds, if the chain ends at another.
func (q *Queue) OwnAs(told *Queue, now *timeline.Sample) {
	q.Root = now
	if now == nil {
		q.Root = told.Root
	}
	if q.Class != told.Class {
		q.Lock, q.Class, q.locks = told.Lock, told.Class, told.locks
	}
}

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
