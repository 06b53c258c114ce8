package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"jstall/threaddump"
)

// startedTogether are the threads of the program that belong to no known loop, two at least, by the
// method that they were started with, in its order. Main is in none.
func (f *facts) startedTogether() [][]*history {
	byStart := map[string][]*history{}
	for _, h := range f.alive() {
		if start := h.startedWith(); start != nil && h.thread.Name != "main" {
			byStart[start.Name()] = append(byStart[start.Name()], h)
		}
	}
	var crews [][]*history
	for _, start := range slices.Sorted(maps.Keys(byStart)) {
		if crew := byStart[start]; len(crew) > 1 {
			crews = append(crews, crew)
		}
	}
	return crews
}

// inJob reports that a thread stands in a job which the method that it was started with has called: code of a third
// class, or a lambda, is between that and the class in which it waits. Who waits in its own mailbox has none.
func (h *history) inJob() bool {
	start, own := h.startedWith(), h.last().Stack.program()
	if start == nil || len(own) == 0 {
		return false
	}
	waits := own[0].Class
	return slices.ContainsFunc(own, func(fr *threaddump.Frame) bool { return fr.Class != start.Class && fr.Class != waits })
}

// wantsAnswer reports that a thread waits for a result, or behind a method of the program that takes nothing once it
// is woken, and nor do its callers of that class: as in a promise of its own, and not in a mailbox.
func (f *facts) wantsAnswer(s *Sample) bool {
	if s.Stack.op.kind == opResult {
		return true
	}
	waits := s.Stack.op.caller
	for i := 1; i < len(s.Stack.Frames); i++ {
		if fr := s.Stack.Frames[i]; waits != nil && fr.Class == waits.Class && !f.bytecode.Gates[PlaceOf(s.Stack.Frames, i)] {
			return false
		}
	}
	return waits != nil
}

// asksMates are those of a crew that wait, without end and over the whole look, each for something
// of its own in one method, in the midst of a job.
func (f *facts) asksMates(crew []*history) (g gathering) {
	awaited := map[uint64]bool{} // where the dump tells: some name no object in Object.wait
	for _, h := range crew {
		st, s, object := f.standingStill(h), h.last(), uint64(0)
		if l := s.waitsOn(); l != nil {
			object = l.address
		}
		wants := s.wantsSignal() && s.Stack.op.kind != opBarrier && s.Stack.op.kind != opExchange && s.Stack.op.kind != opPermit
		if !wants || !h.inJob() || !f.wantsAnswer(s) || st.dumps < len(f.snaps) || !st.untimed() || untilTheEnd(s.Stack) || awaited[object] {
			continue
		}
		if key := s.Stack.op.caller.Name(); g.key == "" || g.key == key {
			awaited[object] = object != 0
			g.key, g.waiters = key, append(g.waiters, st)
		}
	}
	return g
}

// crewsByCode reports crews all of which wait so, for what only their own code brings that is ahead of them.
func (f *facts) crewsByCode() []candidate {
	if !f.lasts() || !f.signalsLeft().known {
		return nil
	}
	var found []candidate
	for _, crew := range f.startedTogether() {
		g := f.asksMates(crew)
		if len(g.waiters) < len(crew) || !f.hardlySignalled(g) || !f.wouldAnswer(crew, likelySignal(g.waiters[0].last())) {
			continue
		}
		found = append(found, f.homemadeDeadlock(g, fmt.Sprintf("wait each in %s for something else", shortName(g.key)), f.waitWith(g)...))
	}
	return found
}

// hardlySignalled reports that no code is left to run that signals those who wait, be it that of notifies and at
// conditions in the class in which they wait.
func (f *facts) hardlySignalled(g gathering) bool {
	left := f.signalsLeft()
	return left.known && !slices.ContainsFunc(g.waiters, func(w still) bool {
		kind := w.last().Stack.op.kind
		return !left.never[w.history] && (left.perhaps[w.history] || kind != opNotify && kind != opCondition)
	})
}

// wouldAnswer reports that each of some threads may end such waits once it gets on.
func (f *facts) wouldAnswer(threads []*history, word string) bool {
	return !slices.ContainsFunc(threads, func(h *history) bool {
		words, known := f.mayEnd(h.last())
		return !known || !slices.Contains(words, word)
	})
}

// waitWith are the other threads that wait without end in the same method, over the whole look.
func (f *facts) waitWith(g gathering) []*Sample {
	method := g.waiters[0].last().Stack.op.caller.Name()
	var others []*Sample
	for _, h := range f.alive() {
		st, s := f.standingStill(h), h.last()
		op := s.Stack.op
		same := op.caller != nil && op.caller.Name() == method && op.kind == g.waiters[0].last().Stack.op.kind
		if same && st.untimed() && st.dumps == len(f.snaps) && !slices.ContainsFunc(g.waiters, func(w still) bool { return w.history == h }) {
			others = append(others, s)
		}
	}
	return others
}

// askingCircles reports threads of one crew that wait each for an answer which only threads of the crew give,
// while all the others of these have nothing in hand: who has been asked waits for an answer in turn.
//
// Rule: two at least of those that were started with one method stand so (see asksMates). By the class files no
// other thread may end such a wait, and nothing that was handed to others. Each of the rest of the crew waits
// in every dump for something to do, near the bottom of its stack, or got round. Nothing comes from outside, and
// no timer or pause is left that has not come round in the look.
//
// From: actors with a mailbox each, three of which ask one another in a circle, beside one that only writes.
func (f *facts) askingCircles() []candidate {
	if !f.lasts() || !f.signalsLeft().known {
		return nil
	}
	var found []candidate
	for _, crew := range f.startedTogether() {
		g := f.asksMates(crew)
		if len(g.waiters) < 2 || len(g.waiters) == len(crew) || !f.freeButFor(crew, g) || !f.onlyCrewAnswers(crew, g.waiters[0].last()) {
			continue
		}
		if w := f.worldOf([]gathering{g}); w.outside || w.accepts || w.pending {
			continue
		}
		c := f.missedSignal(g, Warning)
		what, _, _ := strings.Cut(missing(g.waiters[0].last().Stack), ";")
		c.Title = fmt.Sprintf("%s wait each for %s that only threads started with %s give, and all others of these are free",
			Counted(len(g.waiters), "thread"), what, shortName(crew[0].startedWith().Name()))
		c.Advice = "They seem to have asked one another in a circle: let none wait for an answer while it has others to give, or ask with a time limit."
		c.Victims = f.refs(inNameOrder(f.waitWith(g)))
		found = append(found, c)
	}
	return found
}

// isTold reports that the first of some waiters is a culprit of what was found.
func (f *facts) isTold(found []candidate, g gathering) bool {
	id := threadIDOf(f.refs(g.samples()[:1])[0])
	return slices.ContainsFunc(found, func(c candidate) bool {
		return slices.ContainsFunc(c.Culprits, func(r ThreadRef) bool { return threadIDOf(r) == id })
	})
}

// freeButFor reports that all of a crew but those that wait have no job in any dump.
func (f *facts) freeButFor(crew []*history, g gathering) bool {
	return !slices.ContainsFunc(crew, func(h *history) bool {
		if slices.ContainsFunc(g.waiters, func(w still) bool { return w.history == h }) {
			return false
		}
		return slices.ContainsFunc(h.samples, func(s *Sample) bool { return !s.waits() || s.timed() || !s.wantsSignal() && s.Stack.op.kind != opTake }) ||
			h.inJob()
	})
}

// onlyCrewAnswers reports that each of a crew may end such a wait as a thread is in, and by the class files nobody else
// but others that are in such waits themselves.
func (f *facts) onlyCrewAnswers(crew []*history, s *Sample) bool {
	word, all := likelySignal(s), signalWords[s.Stack.op.kind]
	if !f.wouldAnswer(crew, word) || all == signalWords[opResult] && f.broughtByJDK() {
		return false
	}
	return !gives(f.bytecode.Later, word) && !gives(f.bytecode.Queued, word) && !slices.ContainsFunc(f.giversOf(word), func(h *history) bool { return !slices.Contains(crew, h) })
}

// giversOf are the threads that may end such waits, but for those that are in such a wait themselves, for good.
func (f *facts) giversOf(word string) []*history {
	if givers, known := f.givers[word]; known {
		return givers
	}
	var givers []*history
	for _, h := range f.alive() {
		words, _ := f.mayEnd(h.last())
		st, s := f.standingStill(h), h.last()
		alike := s.wantsSignal() && likelySignal(s) == word && st.untimed() && st.dumps == len(f.snaps)
		if !alike && gives(words, word) {
			givers = append(givers, h)
		}
	}
	f.givers[word] = givers
	return givers
}

// gives reports that the words of a thread's class files tell of such a signal.
func gives(words []string, word string) bool {
	return slices.Contains(words, word) || slices.Contains(words, endsAny)
}
