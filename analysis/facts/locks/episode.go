package locks

import (
	"jstall/analysis/timeline"
)

// Episode is a queue over time: one lock that threads wait for in one dump after
// the other.
type Episode struct {
	Queues []*Queue
}

// Last is the queue in the last dump that has it.
func (e *Episode) Last() *Queue { return e.Queues[len(e.Queues)-1] }

// Contended are the queues of the episode with enough waiters to be contention.
func (e *Episode) Contended() []*Queue {
	var crowded []*Queue
	for _, q := range e.Queues {
		if len(q.Waiters) >= ContentionWaiters {
			crowded = append(crowded, q)
		}
	}
	return crowded
}

// Episodes follows the queues of all dumps. The collector may move a lock's
// object between dumps, so that beside its address its class with a common owner
// or waiter makes it the same. So do waiters that stand where they stood: a dump
// that tells more owners follows their chain further, to another lock.
func (f *Locks) Episodes() []*Episode {
	t := episodeIndex{waits: map[timeline.Key]wait{}, byLock: map[lockID]*Episode{},
		byRoot: map[timeline.Key]*Episode{}}
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
type episodeIndex struct {
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

func (t *episodeIndex) note(e *Episode, q *Queue) {
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
func (t *episodeIndex) continued(q *Queue) *Episode {
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
