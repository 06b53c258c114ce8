package locks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Queue is the threads of one dump that wait, directly or behind each other, for the same thread to release a lock.
type Queue struct {
	At      int
	Lock    lockID           // the lock of the root that most threads wait for
	Class   string           // the class of the lock's object
	locks   int              // the number of locks of the root that threads wait for
	Direct  int              // the number of threads that wait for one of these directly
	Root    *timeline.Sample // nil if the dump does not show the owner
	Waiters []*timeline.Sample
	Cycle   *Cycle // the deadlock that the chain ends in, or nil
}

// QueuesAt groups the waiting threads of one dump by the root of their chain, or by the lock if its owner is unknown.
func (f *Locks) QueuesAt(at int) []*Queue {
	g := f.Graph(at)
	byEnd := map[chainEnd]*Queue{}
	var waited []*Queue
	for _, i := range g.Waiting {
		end := g.Ends[i]
		if end.cycle != None && g.inCycle[i] {
			continue // a member waits only for other members
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

// ContentionWaiters is the number of threads that must wait behind one owner to be reported.
const ContentionWaiters = 2

// HeldByIdleWorker reports whether the owner of a lock of java.util.concurrent is an idle worker of the JDK. Nothing on
// its stack can have acquired the lock, so a task that has ended did.
func (q *Queue) HeldByIdleWorker() bool {
	notJDK := func(f *threaddump.Frame) bool { return stack.OriginOf(f) != stack.OfJDK }
	if q.Root == nil || q.Root.IdleRule() == nil || slices.ContainsFunc(q.Root.Stack.Frames, notJDK) {
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

// TakeOwner takes the owner from another dump, in its state in this dump if it is at the same place. If the chain ends
// there at another lock, it takes that lock too.
func (q *Queue) TakeOwner(told *Queue, now *timeline.Sample) {
	q.Root = now
	if now == nil || now.Stack != told.Root.Stack {
		q.Root = told.Root
	}
	if q.Class != told.Class {
		q.Lock, q.Class, q.locks = told.Lock, told.Class, told.locks
	}
}

// HasWaiter reports whether the thread itself is among the waiters.
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

// LockWords describes a lock by its class: "a com.acme.Cache", "the class com.acme.Cache"; for java.util without the
// package, "a ReentrantLock".
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

// AbsentOwner is the name of the lock's owner if the dump has only its name, else empty.
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

// NoOwnerReason is the reason why a dump names no owner of the lock.
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

// IsStamped reports whether the lock is a StampedLock.
func (q *Queue) IsStamped() bool { return strings.HasPrefix(q.Class, stack.JUC+"locks.StampedLock") }
