package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/threaddump"
)

// leastMeeting is how many threads must wait for the headline to name them if they run no task.
const leastMeeting = 2

// startCost is more CPU time than a thread needs to start and to reach its first wait, and less than any work that is
// worth a thread.
const startCost = 2 * time.Millisecond

// unprovenWait is a group of threads of the application that wait at one frame without a time limit for the whole
// capture, and that are in the middle of work, hold a lock, or are waited for. It is no finding, because the wait may
// be intended.
type unprovenWait struct {
	threads []*timeline.Sample
	// place is "Loader.await (Loader.java:31)", state "count 1"; state is empty if memory was not read.
	place, state string
	// oneMoment reports whether all dumps show one point in time, lastOnly whether only the last of several dumps has
	// the threads, because they were started after the others.
	oneMoment, lastOnly bool
	// sure reports whether one such thread is enough for the headline.
	sure bool
}

// waitGroups groups waiting threads by what they wait for and where.
type waitGroups struct {
	all []*unprovenWait
	at  map[string]*unprovenWait
	// alike counts the threads that wait together.
	alike map[string]int
}

// unprovenWaits returns the waits that a headline may name, the one with most threads first.
func unprovenWaits(f *facts.Facts) []unprovenWait {
	others, unnamed := awaitedThreads(f.Locks), behindUnnamedOwners(f.Locks)
	groups := waitGroups{at: map[string]*unprovenWait{}, alike: map[string]int{}}
	for _, h := range f.Timeline.Alive() {
		s := h.Last()
		if unnamed[s] {
			groups.add(f, h, false)
			continue
		}
		if !waitsThroughout(f.Timeline, h) {
			continue
		}
		inWork := s.HoldsOwnLock() || !restsBetweenWork(f.Timeline, s) &&
			(others[s] || isWork(s) || asksOutside(f.Timeline, s))
		if inWork || waitsInVain(f.Timeline, s) {
			groups.add(f, h, inWork)
		}
	}
	var found []unprovenWait
	for _, g := range groups.all {
		if g.sure || groups.alike[meeting(g.threads[0], g.place)] >= leastMeeting {
			found = append(found, *g)
		}
	}
	order.SortStable(found, func(a, b unprovenWait) int {
		return timeline.SizeOf(b.threads) - timeline.SizeOf(a.threads)
	})
	return found
}

// behindUnnamedOwners returns the threads that wait in one moment for a lock whose owner the dump does not name. It may
// be the cause, and is not shown.
func behindUnnamedOwners(l *locks.Locks) map[*timeline.Sample]bool {
	behind := map[*timeline.Sample]bool{}
	if !locks.OneMoment(l.Timeline) {
		return behind
	}
	for _, e := range l.Contentions() {
		if q := e.Last(); q.Root == nil && q.Cycle == nil && q.NeedsLocks() {
			for _, w := range q.Waiters {
				behind[w] = w.Thread.Role == threaddump.Application
			}
		}
	}
	return behind
}

// add adds a thread to the group of those that wait for the same at the same place.
func (groups *waitGroups) add(f *facts.Facts, h *timeline.History, inWork bool) {
	s := h.Last()
	place := withoutPackages(strings.TrimPrefix(f.Timeline.Ref(s).Where(), "at "))
	state := f.Objects.StateOf(f.Timeline, h)
	key := s.WaitType() + "\n" + place
	g := groups.at[key]
	if g == nil {
		g = &unprovenWait{place: place, state: state, oneMoment: locks.OneMoment(f.Timeline), lastOnly: true}
		groups.at[key] = g
		groups.all = append(groups.all, g)
	}
	if g.state != state {
		g.state = ""
	}
	g.threads = append(g.threads, s)
	g.lastOnly = g.lastOnly && len(h.Samples) == 1
	g.sure = g.sure || inWork || waitsForOne(s) && s.Thread.Daemon
	groups.alike[meeting(s, place)] += s.Size()
}

// waitsThroughout reports whether each dump shows a thread of the application at one place in one wait without a time
// limit, and the thread is neither idle nor waits for its next item of work.
func waitsThroughout(f *timeline.Timeline, h *timeline.History) bool {
	s := h.Last()
	if s.Thread.Role != threaddump.Application || s.Stack.Application == nil || h.AtRest() || s.TakesDump() ||
		s.WaitType() == "" || !mayLast(f, s) {
		return false
	}
	// One point in time of a queue for a lock or of a write is no sign of a problem.
	if locks.OneMoment(f) && (s.Wait.ForLock() || s.Stack.Op.Kind == stack.OpWrite) || timeline.IsIO(s) && h.Works() {
		return false
	}
	return f.SeenSinceStart(h) && waitsSince(h) == 0 && !wokenSince(h, 0)
}

// mayLast reports whether a thread waits without a time limit for something that should come. Two calls count although
// their stacks show no limit: a name lookup, which takes minutes if the name servers do not answer, and a read of a
// file, which may be a FIFO unless the kernel shows what it is.
func mayLast(f *timeline.Timeline, s *timeline.Sample) bool {
	if locks.Unlimited(s) {
		return !slices.Contains([]stack.OpKind{stack.OpAccept, stack.OpSelect, stack.OpTermination}, s.Stack.Op.Kind)
	}
	switch s.Stack.Op.Kind {
	case stack.OpResolve:
		return true
	case stack.OpRead:
		return s.Stack.IsInside(fileStream, "read") && f.Last().Tasks[s.Thread.NativeID].File != "file"
	}
	return false
}

// fileStream is the class of the JDK that reads files, and FIFOs by their path.
const fileStream = "java.io.FileInputStream"

// asksOutside reports whether a thread of the program called out of the JVM for something that comes once: an answer, a
// connection, the end of a process.
func asksOutside(f *timeline.Timeline, s *timeline.Sample) bool {
	switch s.Stack.Op.Kind {
	case stack.OpRead:
		return !readsNext(f, s)
	case stack.OpConnect, stack.OpOpen, stack.OpFileLock, stack.OpProcess, stack.OpResolve:
		return true
	}
	return false
}

// isWork reports whether a thread runs a task, a handler or a listener, by the code that called the application.
func isWork(s *timeline.Sample) bool {
	root := s.Stack.Root
	return s.Thread.Virtual || stack.CalledForWork(s.Stack) || root != nil && root.Kind <= stack.RootTimer
}

// restsBetweenWork reports whether a thread waits for its next item, for the end of the program, or for a peer that
// need not send anything: a client of this JVM, or a peer from which a loop reads.
func restsBetweenWork(f *timeline.Timeline, s *timeline.Sample) bool {
	reads, file := s.Stack.Op.Kind == stack.OpRead, f.Last().Tasks[s.Thread.NativeID].File
	switch {
	case waits.UntilTheEnd(s.Stack), reads && (file == "accepted-socket" || file == "stdin" || f.Acceptors.Started(s)):
		return true
	case stack.CalledForWork(s.Stack):
		return false
	case waits.TakesItem(s):
		return true
	}
	return reads && (iowaits.IsReaderLoop(s.Stack) || len(stack.WithoutStart(s.Stack.Program())) == 0 ||
		!isWork(s) && waits.OnlyTakes(s.Stack))
}

// waitsForOne reports whether a thread waits for something that happens once, or for its peers. No worker waits for its
// next job this way. A thread that is not a daemon may do it to keep the program alive.
func waitsForOne(s *timeline.Sample) bool {
	return stack.IsOnce(s.Stack.Op.Kind) && s.Stack.Op.Kind != stack.OpPermit
}

// waitsInVain reports whether a thread that runs no task may wait for something that never comes, as several dumps
// show. In one dump threads may briefly wait for results, permits and the answers of libraries, so only latches,
// barriers and exchangers count at which the program itself waits.
func waitsInVain(f *timeline.Timeline, s *timeline.Sample) bool {
	switch op := s.Stack.Op; {
	case waits.UntilTheEnd(s.Stack):
		return false
	case !locks.OneMoment(f):
		return stack.IsOnce(op.Kind) || hasOnlyWaited(s)
	case op.Kind == stack.OpLatch, op.Kind == stack.OpBarrier, op.Kind == stack.OpExchange:
		return op.Caller == s.Stack.Application
	}
	return false
}

// hasOnlyWaited reports whether a thread still waits in its first wait since it was started, not for an item of a
// queue. The little CPU time that it used shows that it has done nothing else.
func hasOnlyWaited(s *timeline.Sample) bool {
	switch s.Stack.Op.Kind {
	case stack.OpCondition, stack.OpNotify, stack.OpPark, stack.OpPermit:
		used := s.CPU()
		return used.Known && used.Value <= startCost && !waits.TakesItem(s)
	}
	return false
}

// meeting is what two threads must have in common to wait together: the kind of the wait for something that happens
// once or, for those that did nothing else, for a permit; else the object, or the place if the object is unknown.
func meeting(s *timeline.Sample, place string) string {
	if waitsForOne(s) || s.Stack.Op.Kind == stack.OpPermit && hasOnlyWaited(s) {
		return s.WaitType()
	}
	return cmp.Or(s.Object(), place)
}

// readsNext reports whether a platform thread waits for the next message on a connection that a client of this JVM
// opened, or reads directly from its own run method.
func readsNext(f *timeline.Timeline, s *timeline.Sample) bool {
	if s.Stack.Op.Kind != stack.OpRead || s.Thread.Virtual || s.Wait.ForLock() || stack.CalledForWork(s.Stack) {
		return false
	}
	return f.Last().Tasks[s.Thread.NativeID].File == "accepted-socket" || iowaits.ReadsInRun(s.Stack) ||
		f.Acceptors.Started(s)
}

// awaitedThreads returns the threads of the last dump whose lock, end or result others wait for.
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
	for _, s := range l.MutualJoins() {
		awaited[s] = true
	}
	return awaited
}

// waitClause begins the headline of a report without findings if threads wait that may be stuck; it is empty without
// such threads.
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
	if w.lastOnly && !w.oneMoment {
		text += ", seen in the last dump only"
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

// waitsBehind ends the headline of a JVM that does not answer if threads wait that may be stuck and there is room; it
// is empty without such threads.
func waitsBehind(lead *finding.Finding, all []unprovenWait) string {
	if len(all) == 0 {
		return ""
	}
	n := timeline.SizeOf(all[0].threads)
	verb := "waits"
	if n > 1 {
		verb = "wait"
	}
	method, _, _ := strings.Cut(all[0].place, " (")
	for _, place := range []string{all[0].place, method} {
		text := fmt.Sprintf("; %s %s in %s", finding.Counted(n, "thread"), verb, place)
		room := maxHeadline - len(Unresponsive) - len(": ") - utf8.RuneCountInString(lead.Title)
		if utf8.RuneCountInString(text) <= room {
			return text
		}
	}
	return ""
}
