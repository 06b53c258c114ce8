package lockcontention

import (
	"fmt"
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// underLock words what the owners of a lock that goes round do while they have it, if most
// dumps that show one show the same, and it is no work of their own.
func underLock(waited []*locks.Queue, kind locks.Holder) string {
	if kind != locks.HolderChanges {
		return ""
	}
	doing, times, owners := stack.OpNone, map[stack.OpKind]int{}, 0
	for _, q := range waited {
		if q.Root == nil {
			continue
		}
		owners++
		if op := q.Root.Stack.Op.Kind; whileHeld(op) != "" {
			if times[op]++; times[op] > times[doing] {
				doing = op
			}
		}
	}
	if times[doing] < 2 || 2*times[doing] <= owners {
		return ""
	}
	return "; its owners " + whileHeld(doing) + " while they have it"
}

// whileHeld completes "its owners …", empty for work of their own.
func whileHeld(kind stack.OpKind) string {
	switch kind {
	case stack.OpRead:
		return "read"
	case stack.OpWrite:
		return "write"
	case stack.OpSleep:
		return "sleep"
	case stack.OpConnect:
		return "connect"
	case stack.OpFileLock:
		return "wait for file locks"
	case stack.OpProcess:
		return "wait for child processes"
	}
	return ""
}

func contentionTitle(f *facts.Facts, q *locks.Queue, kind locks.Holder) string {
	waiters := f.WaitersWords(q)
	if 0 < q.Direct && q.Direct < len(q.Waiters) {
		waiters += fmt.Sprintf(", %d of them behind others,", len(q.Waiters)-q.Direct)
	}
	waiters += " for " + q.Object()
	if q.Root == nil {
		if locks.Shared(q) {
			return waiters + "; owner unknown: this kind of lock has no owner in a dump"
		}
		if q.NeedsLocks() {
			return waiters + "; owner unknown: no line of the dump names it"
		}
		return waiters + "; no dump shows a thread that holds it"
	}
	owner := q.Root.Thread.Called()
	switch {
	case q.Cycle != nil && f.Graph(q.At).ByFrames[q.Lock]:
		return waiters + " that " + owner + " likely holds, itself in a deadlock"
	case q.Cycle != nil:
		return waiters + " that " + owner + " holds, itself in a deadlock"
	case kind == locks.HolderChanges:
		return waiters + " that goes from thread to thread, last held by " + owner
	case q.HeldByIdleWorker():
		return waiters + " that " + owner +
			" still holds; it has nothing to do, so that an earlier task of it did not release the lock"
	case kind == locks.HolderStuck:
		return waiters + " that " + owner + " keeps while it " + f.Phrase(q.Root)
	}
	return waiters + " that " + owner + " holds while it " + f.Phrase(q.Root)
}

func contentionAdvice(q *locks.Queue, kind locks.Holder) string {
	if q.HeldByIdleWorker() {
		return "Release the lock in a finally block: look at all the places that take it, such as " +
			q.Waiters[0].Stack.Work() + "."
	}
	switch kind {
	case locks.HolderUnknown:
		if !q.NeedsLocks() {
			return "The lock goes from thread to thread faster than dumps can show: do less under it, or split it. More dumps (-n 10) may show an owner."
		}
		if q.IsStamped() {
			return "No dump shows who holds a StampedLock. Check the code that takes it: release it in a finally block."
		}
		if locks.Shared(q) {
			return "No dump shows who holds a read lock. Check the code that takes it: do not wait for others while holding it, and release it in a finally block."
		}
		if q.Waiters[0].Thread.Virtual {
			return "Before JDK 26 no dump tells who holds the locks of java.util.concurrent that virtual threads want: " +
				"look for code that locks here, and may go on or end without unlock()."
		}
		return "Take a dump with locks (-l, --locks always) to see the owner. A dump with locks that names none means " +
			"that the owner went on or ended without unlock(): release the lock in a finally block."
	case locks.HolderStuck:
		if q.Root.AsksByLibrary() {
			return "Do not wait for an answer while holding this lock. Look at the other end, and give the call a short time limit."
		}
		if keepsOutSignal(q) {
			return "A wait gives up its own lock only: who should end it may be among those that wait for this one. Wait without holding another lock."
		}
		return "Do not wait while holding this lock: look at what the owner waits for."
	case locks.HolderChanges:
		return "The lock itself is the bottleneck: do less under it, or split it."
	}
	return "Do less while holding this lock."
}

// keepsOutSignal reports that the owner waits for a signal, and one of those it keeps
// waiting comes from the same class.
func keepsOutSignal(q *locks.Queue) bool {
	switch q.Root.Stack.Op.Kind {
	case stack.OpNotify, stack.OpCondition:
		return slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool {
			return w.Stack.SharesClass(q.Root.Stack)
		})
	}
	return false
}
