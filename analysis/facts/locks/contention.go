package locks

import (
	"jstall/analysis/timeline"
)

// Contention is a queue over time: one lock that threads wait for in one dump after
// the other.
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

// Contentions follows the queues of all dumps. The collector may move a lock's
// object between dumps, so that beside its address its class with a common owner
// or waiter makes it the same. So do waiters that stand where they stood: a dump
// that tells more owners follows their chain further, to another lock.
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
