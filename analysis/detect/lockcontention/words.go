package lockcontention

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

func contentionTitle(f *facts.Facts, q *locks.Queue, kind locks.Holder) string {
	waiters := f.Loops.WaitersWords(q)
	if 0 < q.Direct && q.Direct < len(q.Waiters) {
		waiters += fmt.Sprintf(", %d of them behind other waiters,", len(q.Waiters)-q.Direct)
	}
	waiters += " for " + q.Object()
	absent := q.AbsentOwner(f.Timeline)
	switch {
	case absent != "":
		return waiters + " held by " + finding.QuoteName(absent) + ", whose stack is missing in the dump"
	case noThreadOwns(f.Timeline, q):
		return waiters + ", all of the program; none of them owns it exclusively"
	case q.Root == nil && locks.Shared(q):
		return waiters + "; owner unknown: " + locks.NoOwnerReason(q)
	case q.Root == nil && q.NeedsLocks():
		return waiters + "; owner unknown: no line of the dump names it"
	case q.Root == nil:
		return waiters + "; owner unknown: no dump shows a thread that holds it"
	}
	held := waiters + heldBy(q) + q.Root.Thread.Called()
	switch {
	case q.Cycle != nil:
		return held + cycleWords(f.Timeline, q.Cycle)
	case kind == locks.HolderChanges:
		return waiters + " whose owner changes, last held by " + q.Root.Thread.Called()
	case q.HeldByIdleWorker():
		return held + ", which is idle: an earlier task did not release the lock"
	}
	return held + ", which " + f.Phrase(q.Root)
}

// cycleWords describes an owner that is in a cycle of waits, as surely as the finding on the cycle does.
func cycleWords(f *timeline.Timeline, c *locks.Cycle) string {
	switch {
	case c.Timed:
		return ", itself in a cycle until a wait times out"
	case !locks.Confirmed(f, c):
		return ", which may itself be deadlocked"
	}
	return ", itself in a deadlock"
}

// cycleAdvice is for an owner that is in a cycle of waits: the section that holds the lock is not what takes long.
func cycleAdvice(f *timeline.Timeline, c *locks.Cycle) string {
	switch {
	case c.Timed:
		return "Break the cycle that the owner is in: take its locks in one order everywhere."
	case !locks.Confirmed(f, c):
		return "Take a second dump: it shows whether the owner is deadlocked."
	}
	return "Break the deadlock that the owner is in: these threads wait until then."
}

// heldBy precedes the owner: a lock is held, an initialiser runs.
func heldBy(q *locks.Queue) string {
	if strings.HasPrefix(q.Object(), "the initialisation") {
		return " run by "
	}
	return " held by "
}

const shortenAdvice = facts.ShortenAdvice

func contentionAdvice(f *facts.Facts, q *locks.Queue, kind locks.Holder) string {
	if absent := q.AbsentOwner(f.Timeline); absent != "" {
		return "Take a dump of all threads: it shows what " + finding.QuoteName(absent) +
			" does while it holds this lock."
	}
	if q.Cycle != nil {
		return cycleAdvice(f.Timeline, q.Cycle)
	}
	if q.HeldByIdleWorker() {
		return "Release the lock in a finally block. Check all places that take it, such as " +
			q.Waiters[0].Stack.Work() + "."
	}
	if q.Root != nil && q.Root.Stack.Op.Kind == stack.OpResolve {
		return resolveAdvice(q)
	}
	endless := q.Root != nil && locks.LimitOf(q.Root) == locks.ByOthers
	switch {
	case kind == locks.HolderUnknown:
		return unknownAdvice(f, q)
	case kind == locks.HolderStuck, kind == locks.HolderOnce && endless:
		return facts.WaitAdvice(q.Root)
	case kind == locks.HolderChanges:
		return shortenAdvice + " If that is not enough, use several locks."
	}
	return shortenAdvice
}

// unknownAdvice is for a lock whose owner no dump shows.
func unknownAdvice(f *facts.Facts, q *locks.Queue) string {
	switch {
	case !q.NeedsLocks():
		return shortenAdvice + " To see an owner take more dumps (--count 10): it changes faster than these show."
	case q.IsStamped():
		return "Check every place that takes this StampedLock: unlock in a finally block. " +
			"A dump does not record its owner."
	case noThreadOwns(f.Timeline, q):
		return "Check each thread that takes this lock: one of those that wait may hold its read side and request " +
			"the write side, or a thread ended without unlock(). Unlock in a finally block."
	case locks.Shared(q):
		return "Release this read lock in a finally block. Do not request the write lock or wait for a thread while " +
			"holding it. A dump with -l shows the owner of the write lock, none shows that of a read lock."
	case q.Waiters[0].Thread.Virtual:
		return "Check the code that takes this lock for a path without unlock(). " +
			"Before JDK 26 no dump shows who holds the java.util.concurrent locks that virtual threads wait for."
	}
	return "Take a dump with locks (-l, --locks always) to see the owner. If that dump names none, " +
		"the owner went on or ended without unlock(): release the lock in a finally block."
}

// resolveAdvice is for an owner that waits for a name lookup: under a lock of the JDK itself, or of the program.
func resolveAdvice(q *locks.Queue) string {
	if q.Waiters[0].Stack.IsInside("java.net.InetAddress", "") {
		return iowaits.ResolveAdvice
	}
	return "Do not look up host names while holding this lock. " + iowaits.ResolveAdvice
}

func countedTitle(f *facts.Facts, owner *timeline.Sample, l *timeline.Lock) string {
	n := int(l.Blocks)
	return fmt.Sprintf("%s %s for %s held by %s, which %s; the dump does not list the waiters",
		finding.Counted(n, "thread"), finding.Verb(n, "waits", "wait"), locks.LockWords(l.Class),
		owner.Thread.Called(), f.Phrase(owner))
}

const countedAdvice = "Do not wait while holding this lock: set a timeout on the call of the owner."

func outerTitle(waiters int, lock string) string {
	return finding.Counted(waiters, "thread") + finding.Verb(waiters, " waits", " wait") + " for " + lock
}

// outerHolderWords describes the thread that holds such a lock, by its frames.
func outerHolderWords(f *facts.Facts, holders []*timeline.Sample, holding string) string {
	return "; " + timeline.QuoteThreads(holders) + finding.Verb(len(holders), " likely has ", " likely have ") +
		holding +
		f.Doing(holders)
}
