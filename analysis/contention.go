package analysis

import (
	"cmp"
	"slices"
	"time"

	"jstall/threaddump"
)

// queue is the threads of one dump that wait, one behind the other, for the same
// thread to give up a lock.
type queue struct {
	at      int
	lock    lockID  // that the root holds, the one most threads wait for
	class   string  // of the lock's object
	locks   int     // how many the root holds that are waited for
	direct  int     // how many wait for one of these, and not behind another waiter
	root    *Sample // nil if the dump does not tell who holds the lock
	waiters []*Sample
	cycle   *cycle // the deadlock the chain ends in, nil if none
}

// queuesAt groups the waiting threads of one dump by the root of their chain, or
// by the lock where its owner is unknown.
func (f *lockFacts) queuesAt(at int) []*queue {
	g := f.graph(at)
	byEnd := map[chainEnd]*queue{}
	var waited []*queue
	for _, i := range g.waiting {
		end := g.ends[i]
		if end.cycle != none && g.inCycle[i] {
			continue // a member waits for nobody but the other members
		}
		q := byEnd[end]
		if q == nil {
			q = f.newQueue(g, at, end.root)
			byEnd[end] = q
			waited = append(waited, q)
		}
		q.waiters = append(q.waiters, &g.snap.samples[i])
	}
	for _, q := range waited {
		q.nameLock(g)
	}
	return waited
}

func (f *lockFacts) newQueue(g *graph, at, root int) *queue {
	q := &queue{at: at}
	if root != none {
		q.root = &g.snap.samples[root]
		q.cycle = f.cycleWith(q.root, at)
	}
	return q
}

// nameLock chooses, of all locks that the root holds, the one that most threads
// wait for directly.
func (q *queue) nameLock(g *graph) {
	direct := map[lockID]int{}
	class := map[lockID]string{}
	for _, w := range q.waiters {
		id, ok := lockOf(w)
		if !ok {
			continue
		}
		owner, known := g.owner[id]
		if known && &g.snap.samples[owner] == q.root || !known && q.root == nil {
			direct[id]++
			class[id] = w.waitsOn().class
		}
	}
	q.locks = len(direct)
	for _, n := range direct {
		q.direct += n
	}
	for id, n := range direct {
		if best := direct[q.lock]; n > best || n == best && id.before(q.lock) {
			q.lock, q.class = id, class[id]
		}
	}
}

func (id lockID) before(other lockID) bool {
	return cmp.Or(cmp.Compare(id.address, other.address), cmp.Compare(id.class, other.class)) < 0
}

// cycleWith finds the deadlock that a thread of one dump is a member of.
func (f *lockFacts) cycleWith(s *Sample, at int) *cycle {
	for _, c := range f.cycles {
		for _, m := range c.members {
			if m.sample != nil && m.sample.Thread.key() == s.Thread.key() && c.at >= at {
				return c
			}
		}
	}
	return nil
}

// episode is a queue over time: one lock that threads wait for in one dump after
// the other.
type episode struct {
	queues []*queue
}

func (e *episode) last() *queue { return e.queues[len(e.queues)-1] }

// episodes follows the queues of all dumps. The collector may move a lock's
// object between dumps, so that beside its address its class with a common owner
// or waiter makes it the same. So do waiters that stand where they stood: a dump
// that tells more owners follows their chain further, to another lock.
func (f *lockFacts) episodes() []*episode {
	t := trail{waits: map[key]wait{}, byLock: map[lockID]*episode{}, byRoot: map[key]*episode{}}
	for at := range f.snaps {
		for _, q := range f.queuesAt(at) {
			e := t.continued(q)
			if e == nil {
				e = &episode{}
				t.all = append(t.all, e)
			}
			e.queues = append(e.queues, q)
			t.note(e, q)
		}
	}
	return t.all
}

// trail is what tells which episode the next queue goes on with.
type trail struct {
	all    []*episode
	waits  map[key]wait // the last one of each thread
	byLock map[lockID]*episode
	byRoot map[key]*episode
}

type wait struct {
	episode *episode
	at      int
	sample  *Sample
}

func (t *trail) note(e *episode, q *queue) {
	t.byLock[q.lock] = e
	if q.root != nil {
		t.byRoot[q.root.Thread.key()] = e
	}
	for _, w := range q.waiters {
		t.waits[w.Thread.key()] = wait{e, q.at, w}
	}
}

// continued finds the episode that a queue has most in common with, nil if none:
// waiters, most of all those that stand where they stood, the lock, and its owner.
// One for a lock of another class is the same by waiters that stand still alone.
func (t *trail) continued(q *queue) *episode {
	var best *episode
	most := 0
	common := map[*episode]int{}
	vote := func(e *episode, votes int) {
		if e == nil || e.last().at >= q.at {
			return
		}
		if common[e] += votes; common[e] > most {
			best, most = e, common[e]
		}
	}
	if e := t.byLock[q.lock]; e != nil && e.last().class == q.class {
		vote(e, 1+len(q.waiters)/2)
	}
	if q.root != nil {
		if e := t.byRoot[q.root.Thread.key()]; e != nil && e.last().class == q.class {
			vote(e, 1)
		}
	}
	for _, w := range q.waiters {
		then, ok := t.waits[w.Thread.key()]
		if !ok || then.at != then.episode.last().at {
			continue
		}
		if then.sample.Stack == w.Stack && then.sample.waitClass() == w.waitClass() {
			vote(then.episode, 2)
		} else if then.episode.last().class == q.class {
			vote(then.episode, 1)
		}
	}
	return best
}

// crowded are the queues of the episode with enough waiters to be contention.
func (e *episode) crowded() []*queue {
	var crowded []*queue
	for _, q := range e.queues {
		if len(q.waiters) >= contentionWaiters {
			crowded = append(crowded, q)
		}
	}
	return crowded
}

// holder says what the owner of a contended lock is seen to do over an episode.
type holder uint8

const (
	holderUnknown holder = iota // the dumps do not tell who holds it
	holderOnce                  // seen in one dump only
	holderStuck                 // one owner, and nothing in it moves
	holderWorks                 // one owner that goes on
	holderChanges               // the lock goes round, the queue stays
)

func (f *timeline) holderOf(waited []*queue) holder {
	var roots []*Sample
	silent := 0
	for _, q := range waited {
		switch {
		case q.root != nil:
			roots = append(roots, q.root)
		case q.needsLocks():
			silent++ // a dump without -l, which takes nothing away from another with it
		}
	}
	switch {
	case len(roots) == 0:
		return holderUnknown
	case len(waited) == 1:
		return holderOnce
	case (silent > 0 || !sameThread(roots)) && !sameLock(waited):
		return holderWorks // what the first ones hold, they keep behind the others
	case len(roots)+silent < len(waited) || !sameThread(roots), f.queues(roots[0], waited):
		return holderChanges
	case f.moved(f.throughout(roots[0], waited)):
		return holderWorks
	}
	return holderStuck
}

// wentOn reports that all in the first of some queues wait without end, and had the lock
// before the last of them: they stand elsewhere, or used CPU in between.
func (f *timeline) wentOn(waited []*queue) bool {
	first, last := waited[0], waited[len(waited)-1]
	return !slices.ContainsFunc(first.waiters, func(w *Sample) bool {
		return w.timed() || f.stoodFrom(w, first.at, last.at)
	})
}

// stoodFrom reports that nothing shows a thread to have moved from one dump to another.
func (f *timeline) stoodFrom(s *Sample, from, to int) bool {
	h := f.history(s)
	for at := from + 1; at <= to; at++ {
		if before, now := h.sampleAt(at-1), h.sampleAt(at); before != nil && now != nil && !stayed(before, now) {
			return false
		}
	}
	return true
}

// forgotten tells a lock of java.util.concurrent whose owner is an idle worker of the
// JDK: nothing on its stack can have taken it, so that a task did which has ended.
func (q *queue) forgotten() bool {
	if q.root == nil || q.root.resting() == nil || slices.ContainsFunc(q.root.Stack.Frames, func(f *threaddump.Frame) bool { return originOf(f) != ofJDK }) {
		return false
	}
	l := q.root.holding(q.lock.address)
	return l != nil && l.op == threaddump.OwnsSynchronizer
}

// needsLocks tells a lock whose owner only a dump with locks (-l) names.
func (q *queue) needsLocks() bool {
	return slices.ContainsFunc(q.waiters, func(w *Sample) bool {
		l := w.waitsOn()
		return l != nil && l.address == q.lock.address && l.op == threaddump.Parking
	})
}

// queues reports that a thread stands in one of the queues itself.
func (f *timeline) queues(s *Sample, waited []*queue) bool {
	return slices.ContainsFunc(waited, func(q *queue) bool {
		return slices.ContainsFunc(q.waiters, func(w *Sample) bool { return w.Thread.key() == s.Thread.key() })
	})
}

// throughout are a thread's samples in the dumps of some queues.
func (f *timeline) throughout(s *Sample, waited []*queue) []*Sample {
	var samples []*Sample
	for _, q := range waited {
		if at := f.history(s).sampleAt(q.at); at != nil {
			samples = append(samples, at)
		}
	}
	return samples
}

// owned is the last of some queues whose owner is known, nil if none is.
func owned(waited []*queue) *queue {
	for _, q := range slices.Backward(waited) {
		if q.root != nil {
			return q
		}
	}
	return nil
}

// ownAs takes the owner that another dump tells, now as this dump shows it, if it
// does; and the lock that one holds, if the chain ends at another.
func (q *queue) ownAs(told *queue, now *Sample) {
	q.root = now
	if now == nil {
		q.root = told.root
	}
	if q.class != told.class {
		q.lock, q.class, q.locks = told.lock, told.class, told.locks
	}
}

func sameThread(samples []*Sample) bool {
	for _, s := range samples {
		if s.Thread.key() != samples[0].Thread.key() {
			return false
		}
	}
	return true
}

// sameLock reports that all queues are for a lock of one class.
func sameLock(waited []*queue) bool {
	return !slices.ContainsFunc(waited, func(q *queue) bool { return q.class != waited[0].class })
}

// moved reports that a thread's stack or state changed over its samples, or that
// it used CPU.
func (f *timeline) moved(samples []*Sample) bool {
	for _, s := range samples {
		if s.Stack != samples[0].Stack || s.State != samples[0].State {
			return true
		}
	}
	share := f.history(samples[0]).share()
	return share.Known && share.Value > 0.1
}

// span is the time from the first queue to the last.
func (f *timeline) span(waited []*queue) Opt[time.Duration] {
	return f.between(int32(waited[0].at), int32(waited[len(waited)-1].at))
}
