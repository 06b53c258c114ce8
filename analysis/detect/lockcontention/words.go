package lockcontention

import (
	"fmt"
	"slices"
	"strings"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

func contentionTitle(f *facts.Facts, q *locks.Queue, kind locks.Holder) string {
	waiters := f.WaitersWords(q)
	if 0 < q.Direct && q.Direct < len(q.Waiters) {
		waiters += fmt.Sprintf(", %d of them behind other waiters,", len(q.Waiters)-q.Direct)
	}
	waiters += " for " + q.Object()
	switch {
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
		return held + ", itself in a deadlock"
	case kind == locks.HolderChanges:
		return waiters + " whose owner changes, last held by " + q.Root.Thread.Called()
	case q.HeldByIdleWorker():
		return held + ", which is idle: an earlier task did not release the lock"
	}
	return held + ", which " + f.Phrase(q.Root)
}

// heldBy precedes the owner: a lock is held, an initialiser runs.
func heldBy(q *locks.Queue) string {
	if strings.HasPrefix(q.Object(), "the initialisation") {
		return " run by "
	}
	return " held by "
}

const shortenAdvice = facts.ShortenAdvice

func contentionAdvice(q *locks.Queue, kind locks.Holder) string {
	if q.HeldByIdleWorker() {
		return "Release the lock in a finally block. Check all places that take it, such as " +
			q.Waiters[0].Stack.Work() + "."
	}
	switch kind {
	case locks.HolderUnknown:
		return unknownAdvice(q)
	case locks.HolderStuck:
		return stuckAdvice(q)
	case locks.HolderChanges:
		return shortenAdvice + " If that is not enough, use several locks."
	}
	return shortenAdvice
}

// unknownAdvice is for a lock whose owner no dump shows.
func unknownAdvice(q *locks.Queue) string {
	switch {
	case !q.NeedsLocks():
		return shortenAdvice + " To see an owner take more dumps (--count 10): it changes faster than these show."
	case q.IsStamped():
		return "Check the code that takes this StampedLock: release it in a finally block. No dump shows who holds it."
	case locks.Shared(q):
		return "Check the code that takes this read lock: release it in a finally block, " +
			"and do not wait for another lock or thread while holding it. No dump shows who holds it."
	case q.Waiters[0].Thread.Virtual:
		return "Check the code that takes this lock for a path without unlock(). " +
			"Before JDK 26 no dump shows who holds the java.util.concurrent locks that virtual threads wait for."
	}
	return "Take a dump with locks (-l, --locks always) to see the owner. If that dump names none, " +
		"the owner went on or ended without unlock(): release the lock in a finally block."
}

// stuckAdvice is for an owner that waits itself.
func stuckAdvice(q *locks.Queue) string {
	switch {
	case q.Root.AsksByLibrary():
		return "Do not wait for an answer while holding this lock. Check the other end, and set a short timeout on " +
			"the call."
	case keepsOutSignal(q):
		return "Do not hold another lock during a wait: the wait releases its own lock only, " +
			"and the thread that should signal may be among the waiters for this one."
	}
	return "Do not wait while holding this lock: check what the owner waits for."
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

// underLock words what the owners of a lock that goes round do while holding it, if most
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
	return "; its owners " + whileHeld(doing) + " while holding it"
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

const (
	answerKeptOut       = "; all workers that could answer wait for that lock or for another answer of this JVM"
	answerKeptOutAdvice = "Do not call out while holding this lock: the answer needs it. " +
		"Read what the call needs, release the lock, then call."
	lendersAdvice = "Do not acquire a permit or a pooled object while holding a lock. " +
		"Set a timeout on the call made while one is held."
	taskAdvice = "Get the result of a task before taking a lock. Check what the task does."
)

// runnersWords tells who runs the task that the owner waits for.
func runnersWords(f *facts.Facts, workers []*timeline.Sample) string {
	return timeline.QuoteThreads(workers) + finding.Verb(len(workers), " runs", " run") + " that task: " +
		f.Doing(workers)
}

const suspendedWords = "is suspended from outside"

func suspendedAdvice(owner string) string {
	return "Resume " + owner +
		": a debugger or Thread.suspend has stopped it, and a suspended thread keeps its locks. " +
		"Let threads stop themselves where they hold none."
}

func suspendedEvidence(owner, channel string) finding.Evidence {
	return finding.Figure(fmt.Sprintf("%s is in Java code, used no CPU and sleeps in the kernel (%s)",
		owner, finding.OrUnknownChannel(channel)))
}

func countedTitle(f *facts.Facts, owner *timeline.Sample, l *timeline.Lock) string {
	n := int(l.Blocks)
	return fmt.Sprintf("%s %s for %s held by %s, which %s; the dump does not list the waiters",
		finding.Counted(n, "thread"), finding.Verb(n, "waits", "wait"), locks.LockWords(l.Class),
		owner.Thread.Called(), f.Phrase(owner))
}

const countedAdvice = "Do not wait while holding this lock: set a timeout on the call of the owner."

func unnamedTitle(waiters int, place string) string {
	return fmt.Sprintf("%s are BLOCKED in %s; owner unknown: the dump has no line for this lock",
		finding.Counted(waiters, "thread"), stack.ShortName(place))
}

const unnamedAdvice = "Take a dump with jcmd Thread.print or jstack, which name the locks. " +
	"For class loading take several dumps: none names that lock."

func outerTitle(waiters int, lock string) string {
	return finding.Counted(waiters, "thread") + finding.Verb(waiters, " waits", " wait") + " for " + lock
}

// outerHolderWords tells who holds such a lock by its frames.
func outerHolderWords(f *facts.Facts, holders []*timeline.Sample, holding string) string {
	return "; " + timeline.QuoteThreads(holders) + finding.Verb(len(holders), " likely has ", " likely have ") +
		holding +
		f.Doing(holders)
}

// virtualTitle words virtual threads that wait for a lock which no dump names.
func virtualTitle(f *facts.Facts, waiters int, place string, holders []*timeline.Sample) string {
	wait := fmt.Sprintf("%s %s for a lock in %s",
		finding.Counted(waiters, "virtual thread"), finding.Verb(waiters, "waits", "wait"), place)
	if len(holders) == 0 {
		return wait + "; owner unknown: no dump before JDK 25 names the locks of virtual threads"
	}
	return wait + " held by " + timeline.QuoteThreads(holders) + " while " + f.Doing(holders)
}

const (
	virtualAdvice = "Check the code that takes this lock: take locks in one order, release each in a finally block, " +
		"and do not wait while holding it."
	virtualHeldAdvice = shortenAdvice + " The owner is inferred from frames: " +
		"no dump before JDK 25 names the locks of virtual threads."
)
