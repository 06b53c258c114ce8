package analysis

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"jstall/analysis/facts"
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/waits"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// leastMeeting is how many threads must wait at one place for what happens once, such as a latch, for the headline to
// name them where they run no task.
const leastMeeting = 2

// unprovenWait is threads of the application that wait without a time limit at one frame for the whole capture, and
// that are in the middle of work, hold a lock, or are waited for. That is no finding: they may have to.
type unprovenWait struct {
	threads []*timeline.Sample
	// place is "Loader.await (Loader.java:31)", state "count 1"; state is empty if memory was not read.
	place, state string
	oneMoment    bool
}

// unprovenWaits are the waits that a headline may name, the one of most threads first.
func unprovenWaits(f *facts.Facts) []unprovenWait {
	others := awaitedThreads(f.Locks)
	groups, once := map[string]*unprovenWait{}, map[string]bool{}
	var order []string
	for _, h := range f.Alive() {
		s := h.Last()
		if !waitsThroughout(f.Timeline, h) {
			continue
		}
		place := withoutPackages(strings.TrimPrefix(f.Ref(s).Where(), "at "))
		key := s.WaitType() + "\n" + place
		named := holdsLock(s) || !restsBetweenWork(f.Timeline, s) && (others[s] || isWork(s))
		if !named && !meets(s) {
			continue
		}
		g := groups[key]
		if g == nil {
			g = &unprovenWait{place: place, oneMoment: locks.OneMoment(f.Timeline)}
			g.state = f.Objects.StateOf(f.Timeline, h)
			groups[key] = g
			order = append(order, key)
		}
		if g.state != f.Objects.StateOf(f.Timeline, h) {
			g.state = ""
		}
		g.threads = append(g.threads, s)
		once[key] = once[key] || named
	}
	var found []unprovenWait
	for _, key := range order {
		if g := groups[key]; once[key] || timeline.SizeOf(g.threads) >= leastMeeting && !g.oneMoment {
			found = append(found, *g)
		}
	}
	slices.SortStableFunc(found, func(a, b unprovenWait) int {
		return timeline.SizeOf(b.threads) - timeline.SizeOf(a.threads)
	})
	return found
}

// waitsThroughout reports that each dump shows a thread of the application at one place in one wait that nothing
// limits, and that it is neither idle nor waits for whatever comes.
func waitsThroughout(f *timeline.Timeline, h *timeline.History) bool {
	s := h.Last()
	switch s.Stack.Op.Kind {
	case stack.OpAccept, stack.OpSelect, stack.OpTermination:
		return false
	}
	if s.Thread.Role != threaddump.Application || s.Stack.Application == nil || h.Idle() || s.TakesDump() ||
		!locks.Unlimited(s) || s.WaitType() == "" {
		return false
	}
	// One moment of a queue for a lock or of a write is as it should be.
	if locks.OneMoment(f) && (s.Wait.ForLock() || s.Stack.Op.Kind == stack.OpWrite) || timeline.IsIO(s) && h.Works() {
		return false
	}
	return len(h.Samples) == len(f.Snaps) && waitsSince(h) == 0 && !wokenSince(h, 0)
}

// isWork reports that a thread runs a task, a handler or a listener, as what called the application shows.
func isWork(s *timeline.Sample) bool {
	root := s.Stack.Root
	return s.Thread.Virtual || stack.CalledForWork(s.Stack) || root != nil && root.Kind <= stack.RootTimer
}

// restsBetweenWork reports that a thread waits for its next item, for the end of the program, or for a peer that need
// not send anything: a client of this JVM, or one from which a loop reads.
func restsBetweenWork(f *timeline.Timeline, s *timeline.Sample) bool {
	reads, file := s.Stack.Op.Kind == stack.OpRead, f.Last().Tasks[s.Thread.NativeID].File
	switch {
	case waits.UntilTheEnd(s.Stack), reads && (file == "accepted-socket" || file == "stdin"):
		return true
	case stack.CalledForWork(s.Stack):
		return false
	case waits.TakesItem(s):
		return true
	}
	return reads && (iowaits.IsReaderLoop(s.Stack) || len(stack.WithoutStart(s.Stack.Program())) == 0)
}

// meets reports that a thread waits for what happens once, or among equals: no worker waits so for its next job.
func meets(s *timeline.Sample) bool {
	return stack.IsOnce(s.Stack.Op.Kind) && !waits.UntilTheEnd(s.Stack)
}

// holdsLock reports that a thread holds a monitor that the application entered, or a lock in which no I/O of the JDK
// is done.
func holdsLock(s *timeline.Sample) bool {
	return slices.ContainsFunc(s.Locks, func(l timeline.Lock) bool {
		if s.HeldLock(l.Address) == nil {
			return false
		}
		switch at := int(l.Depth); l.Op {
		case threaddump.Locked:
			return at >= 0 && at < len(s.Stack.Frames) && slices.Contains(s.Stack.Program(), s.Stack.Frames[at])
		case threaddump.OwnsSynchronizer:
			return strings.HasPrefix(l.Class, stack.JUC+"locks.") && !timeline.IsIO(s)
		}
		return false
	})
}

// awaitedThreads are the threads of the last dump whose lock, end or result others wait for.
func awaitedThreads(l *locks.Locks) map[*timeline.Sample]bool {
	awaited := map[*timeline.Sample]bool{}
	for _, owner := range l.Owners() {
		awaited[owner] = true
	}
	for _, w := range l.Awaiting() {
		for _, s := range w.Others {
			awaited[s] = true
		}
	}
	return awaited
}

// waitClause begins the headline of a report without findings where threads wait that may be stuck; it is empty if
// none do.
func waitClause(all []unprovenWait) string {
	if len(all) == 0 {
		return ""
	}
	w := all[0]
	n := timeline.SizeOf(w.threads)
	text, preposition := "nothing proven", " at "
	if w.oneMoment {
		text, preposition = "one dump proves nothing", " in "
	}
	verb := "waits"
	if n > 1 {
		verb = "wait"
	}
	text += fmt.Sprintf("; %s %s for %s", finding.Counted(n, "thread"), verb, stack.WaitWords(w.threads[0].WaitType()))
	if w.state != "" {
		text += " (" + w.state + ")"
	}
	if utf8.RuneCountInString(text+preposition+w.place) <= maxHeadline-len("OK: ") {
		text += preposition + w.place
	}
	more := 0
	for _, other := range all[1:] {
		more += timeline.SizeOf(other.threads)
	}
	if more > 0 {
		text += fmt.Sprintf(" (and %s elsewhere)", finding.Thousands(more))
	}
	return text
}
