package locks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Queue is the threads of one dump that wait, one behind the other, for the same thread to give up a lock.
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

// nameLock chooses, of all locks that the root holds, the one that most threads wait for directly.
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

// ContentionWaiters is how many threads must wait behind one owner.
const ContentionWaiters = 2

// HeldByIdleWorker tells a lock of java.util.concurrent whose owner is an idle worker of the
// JDK: nothing on its stack can have taken it, so that a task did which has ended.
func (q *Queue) HeldByIdleWorker() bool {
	notJDK := func(f *threaddump.Frame) bool { return stack.OriginOf(f) != stack.OfJDK }
	if q.Root == nil || q.Root.Resting() == nil || slices.ContainsFunc(q.Root.Stack.Frames, notJDK) {
		return false
	}
	l := q.Root.HeldLock(q.Lock.Address)
	return l != nil && l.Op == threaddump.OwnsSynchronizer
}

// NeedsLocks reports whether only a dump with locks (-l) names the owner of the lock.
func (q *Queue) NeedsLocks() bool {
	return slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool {
		l := w.WaitsOn()
		return l != nil && l.Address == q.Lock.Address && l.Op == threaddump.Parking
	})
}

// TakeOwner takes the owner that another dump shows, as this dump has it if it is at the same place there; and the lock
// that one holds, if the chain ends at another.
func (q *Queue) TakeOwner(told *Queue, now *timeline.Sample) {
	q.Root = now
	if now == nil || now.Stack != told.Root.Stack {
		q.Root = told.Root
	}
	if q.Class != told.Class {
		q.Lock, q.Class, q.locks = told.Lock, told.Class, told.locks
	}
}

// HasWaiter reports that the thread is itself among those that wait.
func (q *Queue) HasWaiter(s *timeline.Sample) bool {
	return slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool { return w.Thread.Key() == s.Thread.Key() })
}

// Object names what the threads wait for.
func (q *Queue) Object() string {
	switch {
	case q.locks > 1:
		return fmt.Sprintf("one of %d locks", q.locks)
	case q.Lock.Address == 0 && q.Class != "":
		return "the initialisation of " + q.Class
	case q.IsUnnamedClass():
		return "the initialisation of a class"
	}
	return LockWords(q.Class)
}

// LockWords words a lock by its class: "a com.acme.Cache", "the class com.acme.Cache",
// and of java.util by its own name alone, "a ReentrantLock".
func LockWords(class string) string {
	if of, ok := strings.CutPrefix(class, "java.lang.Class for "); ok {
		return "the class " + of
	}
	if strings.HasPrefix(class, "java.util.") {
		class = class[strings.LastIndexByte(class, '.')+1:]
		for _, inner := range []string{"$NonfairSync", "$FairSync", "$Sync"} {
			class = strings.TrimSuffix(class, inner)
		}
	}
	if class != "" && strings.ContainsRune("aeiouAEIOU", rune(class[0])) {
		return "an " + class
	}
	return "a " + class
}

// IsUnnamedClass reports whether the queue is for a class that the dump does not name.
func (q *Queue) IsUnnamedClass() bool { return q.Class == "" }

// AbsentOwner is the name of the owner of the lock where the dump has no more of it than the name, else empty.
func (q *Queue) AbsentOwner(f *timeline.Timeline) string {
	if q.Root != nil {
		return ""
	}
	for _, w := range q.Waiters {
		if id, ok := lockOf(w); !ok || id != q.Lock {
			continue
		}
		if name := f.Snaps[q.At].OwnerNamed(w); name != "" {
			return name
		}
	}
	return ""
}

// NoOwnerReason is why a dump names no owner of the lock.
func NoOwnerReason(q *Queue) string {
	switch {
	case q.IsStamped():
		return "dumps do not record owners of a StampedLock"
	case Shared(q):
		return "dumps do not record owners of a read lock"
	}
	return "the dump names no owner of this lock"
}

// Shared reports whether several threads may hold the lock and no dump names one of them.
func Shared(q *Queue) bool {
	return q.IsStamped() || strings.HasPrefix(q.Class, stack.JUC+"locks.ReentrantReadWriteLock")
}

// IsStamped reports that the lock is a StampedLock.
func (q *Queue) IsStamped() bool { return strings.HasPrefix(q.Class, stack.JUC+"locks.StampedLock") }
