package analysis

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"jstall/threaddump"
)

// grade counts what speaks for a fault, and is empty for what is none.
func (w *world) grade(g gathering) Severity {
	owes := w.owesAnswer(g)
	if w.acts || w.asking > 0 && !owes || !w.forGood(g) || w.holdsUpTasks(g) {
		return ""
	}
	s := g.waiters[0].last()
	if g.waiters[0].idle() && s.Stack.takesResults() {
		return w.gradeTaker()
	}
	once := isOnce(s.Stack.op.kind) && (s.Stack.op.kind != opPermit || w.awaited || w.empty) || wantState(g)
	outside := w.outside || w.accepts && !isTask(s.Stack)
	nobody := !outside && (!w.pending || w.lacksParty(g))
	piled := !w.accepts && !w.othersBeat(g) && pileUp(g)
	counted := one(once || piled) + one(inTheMiddle(s.Stack) || w.wantResults(g)) + one(w.awaited || owes || twoSides(g)) + one(nobody)
	if !once && !piled && looksLikeWork(g) {
		counted = 0
	}
	switch {
	case s.Thread.Name == "main" && (outside || w.pending):
		return ""
	case s.Stack.op.kind == opPermit && len(g.waiters) > 1:
		return "" // for permits that were lost
	case (counted >= 3 || w.leftBehind(g) || w.deserted(g) || w.alone(g) || g.sidesFull() && !w.outside && !w.accepts || w.sidesJoined(g)) && len(w.snaps) > 1 && !w.excused(g, owes) && (!w.othersBeat(g) || twoSides(g)) && !slices.ContainsFunc(g.samples(), w.mayBeBrought):
		return Warning
	case counted >= 2 || leavesHint(g) && !w.last().mayLack() || w.lastOnes(g), w.spent != nil && maybeFed(g):
		return Info
	}
	return ""
}

// excused reports that the wait may end by itself, or be what the program is for.
func (w *world) excused(g gathering, owes bool) bool {
	return w.pending && !g.sidesFull() && !w.repliesLost(g, owes) && !w.lacksParty(g) || w.isProgram(g) || w.mayBeOpened(g) || w.keepsUp(g) || w.someGotOn(g)
}

// owesAnswer tells threads of no known server, in the middle of something that only a signal
// ends, that may be who should answer those that ask this JVM: one that waits for a result
// where nothing comes from outside, or several for what happens once, of which each may have
// one that asks, if nobody acts when its time has come: those who publish news do so now and
// then. Of the platform threads of known servers more is told elsewhere.
func (w *world) owesAnswer(g gathering) bool {
	s := g.waiters[0].last()
	kind := s.Stack.op.kind
	if w.asking == 0 || w.outside || s.Stack.serves() && !s.Thread.Virtual || slices.ContainsFunc(g.waiters, func(h still) bool { return !h.untimed() }) {
		return false
	}
	if n := sizeOf(g.samples()); n > 1 {
		return n <= w.asking && !w.clocked && isOnce(kind) && kind != opPermit && inTheMiddle(s.Stack)
	}
	return !w.accepts && kind == opResult
}

// repliesLost tells threads in the middle of something that wait for results: several, or
// one that owes an answer. A Timer that has given none of them within the look is hardly
// who gives them.
func (w *world) repliesLost(g gathering, owes bool) bool {
	s := g.waiters[0].last()
	return !w.due && (len(g.waiters) > 1 || owes) && s.Stack.op.kind == opResult && inTheMiddle(s.Stack)
}

// someGotOn reports that one of those who wait in the same method had what it waited for
// within the look, and waits for the next: somebody brings it, if slowly.
func (w *world) someGotOn(g gathering) bool {
	if kind := g.waiters[0].last().Stack.op.kind; !isOnce(kind) && !wantState(g) || kind == opPermit {
		return false
	}
	return slices.ContainsFunc(w.alive(), func(h *history) bool {
		first, last := h.samples[0], h.last()
		waited := len(h.samples) == len(w.snaps) && first.waits() && last.waits() && w.signalKey(first) == g.key && w.signalKey(last) == g.key
		return waited && w.standingStill(h).dumps < len(w.snaps)
	})
}

// leftBehind tells waits that a server without requests does not excuse: others join
// the thread, or, for a latch, have done all their tasks.
func (w *world) leftBehind(g gathering) bool {
	s := g.waiters[0].last()
	if w.outside || s.Stack.Application == nil || len(g.waiters) > 1 && s.Stack.op.kind != opLatch {
		return false
	}
	switch s.Stack.op.kind {
	case opLatch:
		return w.joined || w.done && !w.accepts
	case opNotify, opCondition, opPark:
		return w.joined && inTheMiddle(s.Stack) && !looksLikeWork(g)
	}
	return false
}

// isProgram tells a lone task, whose result main alone waits for, that may be the
// program: to wait until it is told to end.
func (w *world) isProgram(g gathering) bool {
	s := g.waiters[0].last()
	return w.mainAsks && !w.othersAsk && len(g.waiters) == 1 && isTask(s.Stack) && s.Stack.op.kind != opResult && s.Stack.op.kind != opBarrier
}

// othersBeat reports that a thread which is none of those that wait pauses and comes round: it may give the
// signal in one of its rounds.
func (w *world) othersBeat(g gathering) bool {
	return slices.ContainsFunc(w.beats, func(h *history) bool {
		return !slices.ContainsFunc(g.waiters, func(s still) bool { return s.history == h })
	})
}

// mayBeOpened tells a lone thread at a latch for which nobody but main waits, if anybody: a console may
// open it by JMX. Main may wait for its own end, to keep the JVM alive.
func (w *world) mayBeOpened(g gathering) bool {
	return w.mainAsks && !w.othersAsk && len(g.waiters) == 1 && g.waiters[0].last().Stack.op.kind == opLatch
}

// leavesHint tells waits that are worth a word whatever may come from outside: a
// latch opens once and is no way to be told of work; a condition may be, but in a
// loop of a run method.
func leavesHint(g gathering) bool {
	s := g.waiters[0].last()
	if s.Stack.Application == nil || !g.waiters[0].untimed() {
		return false
	}
	own := s.Stack.program()
	switch s.Stack.op.kind {
	case opLatch:
		return true
	case opCondition:
		return len(own) > 0 && own[len(own)-1].Method != "run"
	}
	return false
}

// forGood reports that none of the waits ends by itself, or that the thread came
// back to the same wait throughout the look.
func (w *world) forGood(g gathering) bool {
	return !slices.ContainsFunc(g.waiters, func(s still) bool {
		return !s.untimed() && (s.dumps < len(w.snaps) || s.dumps < 3 || !s.oneWait())
	})
}

func isOnce(kind opKind) bool {
	switch kind {
	case opLatch, opBarrier, opExchange, opResult, opPermit:
		return true
	}
	return false
}

// wantResults tells several threads that wait for results without a limit, which they have
// asked for over a connection that is quiet: so each is in the middle of something, whatever
// it was started with.
func (w *world) wantResults(g gathering) bool {
	return len(w.quiet) > 0 && len(g.waiters) > 1 && !slices.ContainsFunc(g.waiters, func(waiter still) bool {
		return waiter.last().Stack.op.kind != opResult || !waiter.untimed()
	})
}

// wantState tells several threads that wait in one method, without a limit, for a state that
// comes once: one alone may be there until the program ends.
func wantState(g gathering) bool {
	return len(g.waiters) > 1 && !twoSides(g) && awaitsState(g.waiters[0].last().Stack.op.caller) &&
		!slices.ContainsFunc(g.waiters, func(waiter still) bool { return !waiter.untimed() })
}

// awaitsState tells a method of the program that is called after a state which comes once,
// such as awaitClosed, waitUntilReady or awaitAllLoaded. News and work come again and again.
func awaitsState(caller *threaddump.Frame) bool {
	if originOf(caller) != ofApplication {
		return false
	}
	words := camelWords(caller.Method)
	return slices.Contains(awaiting[:], words[0]) && slices.Contains(statesOnce[:], words[len(words)-1]) &&
		!slices.ContainsFunc(words, func(word string) bool { return slices.Contains(newsAndWork[:], strings.TrimSuffix(word, "s")) })
}

// camelWords are the words of a name such as waitUntilReady, in lower case.
func camelWords(name string) []string {
	var words []string
	from := 0
	for i, r := range name {
		if i > from && unicode.IsUpper(r) {
			words, from = append(words, strings.ToLower(name[from:i])), i
		}
	}
	return append(words, strings.ToLower(name[from:]))
}

// awaiting are the words that methods which wait for a state begin with, statesOnce the states
// that come once, newsAndWork what comes again and again, in whatever state.
var (
	awaiting   = [...]string{"await", "wait", "until"}
	statesOnce = [...]string{
		"ready", "open", "opened", "closed", "done", "complete", "completed", "completion", "finished", "started",
		"loaded", "initialized", "initialised", "connected", "settled", "booted", "established", "sealed",
	}
	newsAndWork = [...]string{"job", "work", "task", "item", "next", "message", "request", "order", "event", "data", "batch", "new", "more", "any"}
)

// looksLikeWork tells workers that wait for their next job: several at the same
// place, or one at a collection.
func looksLikeWork(g gathering) bool {
	return atCollection(g.waiters[0].last()) || len(g.waiters) > 1 && !twoSides(g)
}

// pileUp tells tasks at one object, on threads that were started one after the other: as an
// executor does that has none left for the next task, because none comes back. Who is started
// to wait for work there is mostly so at once.
func pileUp(g gathering) bool {
	const (
		least    = 4
		together = 20 * time.Millisecond // twice the resolution of ages
		overall  = time.Second
	)
	var ages []time.Duration
	for _, w := range g.waiters {
		s, first := w.last(), g.waiters[0].last()
		same := s.waitsOn() != nil && s.object() == first.object()
		if age := s.Elapsed(); same && age.Known && isTask(s.Stack) && w.untimed() && !atCollection(s) {
			ages = append(ages, age.Value)
		}
	}
	if len(ages) < max(least, len(g.waiters)) {
		return false
	}
	slices.Sort(ages)
	apart := 0
	for i := 1; i < len(ages); i++ {
		apart += one(ages[i]-ages[i-1] > together)
	}
	return ages[len(ages)-1]-ages[0] >= overall && 2*apart > len(ages)
}

// atCollection tells a wait for a notify of one of the JDK's collections.
func atCollection(s *Sample) bool {
	l := s.waitsOn()
	return l != nil && s.Stack.op.kind == opNotify && strings.HasPrefix(l.class, "java.util.")
}

// isTask tells the task of an executor.
func isTask(s *Stack) bool { return s.root != nil && s.root.kind <= rootForkJoin }

// inTheMiddle reports that a stack has begun something: it is a task, what a library has
// called the program for, or has more on it than the method it was started with. A run method
// with one that waits under it may well be a worker's.
func inTheMiddle(s *Stack) bool {
	if s.root != nil {
		return isTask(s)
	}
	if calledForWork(s) {
		return true
	}
	own := s.program()
	if len(own) < 2 {
		return false
	}
	worker := own[len(own)-1].Method == "run" && !isOnce(s.op.kind)
	return len(own) > 2 || !worker
}

// calledForWork reports that a library called the program for what the library does: a
// request, a message. Its run methods only start threads for others.
func calledForWork(s *Stack) bool {
	for i := len(s.Frames) - 1; i > 0; i-- {
		if originOf(s.Frames[i-1]) == ofApplication {
			return originOf(s.Frames[i]) == ofLibrary && !isStart(s.Frames[i])
		}
	}
	return false
}
