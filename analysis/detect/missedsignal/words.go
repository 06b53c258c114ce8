package missedsignal

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

func title(l *locks.Locks, waiters []*timeline.Sample) string {
	if inLibrary(waiters[0]) {
		return libraryTitle(waiters)
	}
	n := timeline.SizeOf(waiters)
	return fmt.Sprintf("%s %s for %s in %s", finding.Counted(n, threadWord(waiters)), finding.Verb(n, "waits", "wait"),
		signalWords(waiters[0].Stack.Op)+countWords(l, waiters), signalPlaces(waiters))
}

// threadWord is "virtual thread" or "thread". All threads of a finding are of one kind.
func threadWord(waiters []*timeline.Sample) string {
	if waiters[0].Thread.Virtual {
		return "virtual thread"
	}
	return "thread"
}

const advice = "Check the code that should give this signal for an exception, a path without the signal or a wrong " +
	"count. " +
	"Set a timeout on the wait."

// adviceOn names the threads that run tasks of the waiting method. It is the general advice if there are none.
func adviceOn(tasks []*timeline.Sample) string {
	if len(tasks) == 0 {
		return advice
	}
	return fmt.Sprintf("Check %s in %s: %s started by the method that waits, and %s not move. "+
		"Set a timeout on the wait.",
		timeline.QuoteThreads(tasks), tasks[0].Stack.Application.Name(),
		finding.Verb(len(tasks), "its task was", "their tasks were"), finding.Verb(len(tasks), "does", "do"))
}

// countWords is the count of the latch or barrier that all threads wait for. It is empty if the count was not read from
// the JVM's memory.
func countWords(f *locks.Locks, waiters []*timeline.Sample) string {
	read := func(s *timeline.Sample) *object.Synchronizer { return f.Objects.AwaitedBy(f.Timeline.History(s)) }
	first := read(waiters[0])
	if first == nil || slices.ContainsFunc(waiters, func(s *timeline.Sample) bool { return read(s) != first }) {
		return ""
	}
	switch first.Kind {
	case object.Latch:
		return fmt.Sprintf(" (count %d)", first.Left)
	case object.Barrier:
		return fmt.Sprintf(" (%d of %d parties absent)", first.Left, first.Parties)
	}
	return ""
}

// signalWords names what the threads wait for.
func signalWords(op stack.Operation) string {
	switch op.Kind {
	case stack.OpLatch, stack.OpBarrier, stack.OpExchange:
		return locks.LockWords(op.Frame.Class)
	case stack.OpResult:
		return "a result (" + op.Name() + ")"
	case stack.OpCondition:
		return "a Condition"
	case stack.OpPark:
		return "an unpark"
	}
	return "a notify"
}

// signalPlaces names the methods that wait.
func signalPlaces(waiters []*timeline.Sample) string {
	var places []string
	for _, s := range waiters {
		if p := stack.ShortName(s.Stack.Op.Caller.Name()); !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	if len(places) < 2 {
		return places[0]
	}
	return places[0] + " and " + finding.Counted(len(places)-1, "other method")
}
