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
	"github.com/jstall/jstall/threaddump"
)

// leastMeeting is how many threads must wait for the headline to name them where they run no task.
const leastMeeting = 2

// startCost is more CPU than a thread needs to start and to come to its first wait, and less than work costs that is
// worth a thread.
const startCost = 2 * time.Millisecond

// unprovenWait is threads of the application that wait without a time limit at one frame for the whole capture, and
// that are in the middle of work, hold a lock, or are waited for. That is no finding: they may have to.
type unprovenWait struct {
	threads []*timeline.Sample
	// place is "Loader.await (Loader.java:31)", state "count 1"; state is empty if memory was not read.
	place, state string
	// oneMoment tells that all dumps are of one moment, lastOnly that only the last of several has the threads, as they
	// were started after the others.
	oneMoment, lastOnly bool
	// sure reports whether one of the threads is enough.
	sure bool
}

// waitGroups are threads that wait, by what they wait for and where.
type waitGroups struct {
	all []*unprovenWait
	at  map[string]*unprovenWait
	// alike counts those that wait together.
	alike map[string]int
}

// unprovenWaits are the waits that a headline may name, the one of most threads first.
func unprovenWaits(f *facts.Facts) []unprovenWait {
	others := awaitedThreads(f.Locks)
	groups := waitGroups{at: map[string]*unprovenWait{}, alike: map[string]int{}}
	for _, h := range f.Alive() {
		s := h.Last()
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
	slices.SortStableFunc(found, func(a, b unprovenWait) int {
		return timeline.SizeOf(b.threads) - timeline.SizeOf(a.threads)
	})
	return found
}

// add puts a thread to those that wait for the same at the same place.
func (groups *waitGroups) add(f *facts.Facts, h *timeline.History, inWork bool) {
	s := h.Last()
	place := withoutPackages(strings.TrimPrefix(f.Ref(s).Where(), "at "))
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

// waitsThroughout reports that each dump shows a thread of the application at one place in one wait that nothing
// limits, and that it is neither idle nor waits for whatever comes.
func waitsThroughout(f *timeline.Timeline, h *timeline.History) bool {
	s := h.Last()
	if s.Thread.Role != threaddump.Application || s.Stack.Application == nil || h.AtRest() || s.TakesDump() ||
		s.WaitType() == "" || !mayLast(f, s) {
		return false
	}
	// One moment of a queue for a lock or of a write is as it should be.
	if locks.OneMoment(f) && (s.Wait.ForLock() || s.Stack.Op.Kind == stack.OpWrite) || timeline.IsIO(s) && h.Works() {
		return false
	}
	return f.SeenSinceStart(h) && waitsSince(h) == 0 && !wokenSince(h, 0)
}

// mayLast reports a wait without a time limit for something that is expected to come. Two calls count of which the
// stack shows no limit: a name lookup, which name servers that do not answer hold up for minutes, and a read of a file,
// which may be a FIFO unless the kernel says what it is.
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

// fileStream is the class of the JDK that reads files, and pipes to which a program has a path only.
const fileStream = "java.io.FileInputStream"

// asksOutside reports that a thread of the program called out of the JVM for what comes once: an answer, a connection,
// the end of a process.
func asksOutside(f *timeline.Timeline, s *timeline.Sample) bool {
	switch s.Stack.Op.Kind {
	case stack.OpRead:
		return !readsNext(f, s)
	case stack.OpConnect, stack.OpOpen, stack.OpFileLock, stack.OpProcess, stack.OpResolve:
		return true
	}
	return false
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

// waitsForOne reports that a thread waits for what happens once, or among equals: no worker waits so for its next job.
// One that is no daemon may do it to keep the program alive.
func waitsForOne(s *timeline.Sample) bool {
	return stack.IsOnce(s.Stack.Op.Kind) && s.Stack.Op.Kind != stack.OpPermit
}

// waitsInVain reports that a thread which runs no task may wait for what does not come, as several dumps show. In one
// dump threads wait for a moment for results, permits and the answers of libraries: what remains are latches, barriers
// and exchangers that the program itself waits at.
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

// hasOnlyWaited reports that a thread waits in the first thing that it came to since it was started, and for no item of
// a queue: it has done nothing else yet, by the CPU that it used.
func hasOnlyWaited(s *timeline.Sample) bool {
	switch s.Stack.Op.Kind {
	case stack.OpCondition, stack.OpNotify, stack.OpPark, stack.OpPermit:
		used := s.CPU()
		return used.Known && used.Value <= startCost && !waits.TakesItem(s)
	}
	return false
}

// meeting is what two threads must have in common to wait together: the kind of a wait for what happens once or, of
// those that did nothing else, for a permit; else the object, or the place where none is known.
func meeting(s *timeline.Sample, place string) string {
	if waitsForOne(s) || s.Stack.Op.Kind == stack.OpPermit && hasOnlyWaited(s) {
		return s.WaitType()
	}
	return cmp.Or(s.Object(), place)
}

// readsNext reports that a platform thread waits for whatever comes next on a connection that a client of this JVM
// opened, or reads straight from its own run method.
func readsNext(f *timeline.Timeline, s *timeline.Sample) bool {
	if s.Stack.Op.Kind != stack.OpRead || s.Thread.Virtual || s.Wait.ForLock() || stack.CalledForWork(s.Stack) {
		return false
	}
	return f.Last().Tasks[s.Thread.NativeID].File == "accepted-socket" || iowaits.ReadsInRun(s.Stack) ||
		f.Acceptors.Started(s)
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
	for _, s := range l.MutualJoins() {
		awaited[s] = true
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

// waitsBehind ends the headline of a JVM that does not answer where threads wait that may be stuck, as far as there is
// room; it is empty if none do.
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
