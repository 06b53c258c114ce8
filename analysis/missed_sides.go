package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"jstall/threaddump"
)

// twoSides reports that different methods wait at one object, each for what the
// other should do.
func twoSides(g gathering) bool {
	first := g.waiters[0].last().Stack.op.caller.Name()
	return slices.ContainsFunc(g.waiters, func(s still) bool {
		return s.last().Stack.op.caller.Name() != first && s.last().Stack.op.kind != opResult
	})
}

// sidesFull reports that at least two threads wait without end in each of two methods or
// more at one object, and so for one another: a timer, or who pauses, is hardly who signals
// them. Where all of them take something out they are workers of several kinds.
func (g gathering) sidesFull() bool {
	count, gives := map[string]int{}, false
	for _, s := range g.waiters {
		op := s.last().Stack.op
		if !s.untimed() || op.kind == opResult {
			return false
		}
		count[op.caller.Name()]++
		gives = gives || !takesOut(op.caller)
	}
	for _, n := range count {
		if n < 2 {
			return false
		}
	}
	return len(count) > 1 && gives
}

// sidesJoined reports that several wait without end in different methods at one object, or in one
// class, and that somebody waits for the end of a thread: where nobody else comes or acts but when
// its time has come, and did within the look, each can be told only by one of the others. Who takes
// something out may be a worker, and a state may be one that only comes in time; so may what is
// waited for where one that pauses runs in the same class.
func (w *world) sidesJoined(g gathering) bool {
	if !w.joined || w.outside || w.accepts || w.pending || len(g.waiters) < 3 || !twoSides(g) {
		return false
	}
	classes := map[string]bool{}
	for _, s := range g.waiters {
		caller := s.last().Stack.op.caller
		if !s.untimed() || takesOut(caller) || awaitsState(caller) || atCollection(s.last()) {
			return false
		}
		classes[caller.Class] = true
	}
	return !slices.ContainsFunc(w.alive(), func(h *history) bool {
		s := h.last().Stack
		return s.pauses() && slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool { return classes[f.Class] })
	})
}

// sides joins those who wait without end at conditions of one class, in several methods of it,
// where nobody else is left to signal any, but who acts in time and did in the look: what each of
// them waits for another should do. Of which instance of the class a condition is no dump tells.
func (w *world) sides(groups []gathering) []gathering {
	if w.manned || w.outside {
		return groups
	}
	ofClass := map[string]*gathering{}
	for _, g := range groups {
		class := g.waitingClass()
		if ofClass[class] == nil {
			ofClass[class] = &gathering{key: g.key}
		}
		ofClass[class].waiters = append(ofClass[class].waiters, g.waiters...)
	}
	var joined []gathering
	for _, g := range groups {
		all := ofClass[g.waitingClass()]
		switch {
		case g.waitingClass() == "" || !twoSides(*all):
			joined = append(joined, g)
		case g.key == all.key: // the rest is told with the first of them
			slices.SortStableFunc(all.waiters, func(a, b still) int { return cmp.Compare(a.thread.Name, b.thread.Name) })
			joined = append(joined, *all)
		}
	}
	return joined
}

// joinParked joins those who park in different methods for one object, by what they say that they
// park for: first those in the middle of something, by whom all are judged. The key is that of the
// first method.
func joinParked(groups []gathering) []gathering {
	byObject := map[string]int{}
	var joined []gathering
	for _, g := range groups {
		object := g.parkedFor()
		if first, known := byObject[object]; known && object != "" {
			all := append(joined[first].waiters, g.waiters...)
			slices.SortStableFunc(all, func(a, b still) int {
				return one(inTheMiddle(b.last().Stack)) - one(inTheMiddle(a.last().Stack))
			})
			joined[first].waiters = all
			continue
		}
		byObject[object] = len(joined)
		joined = append(joined, g)
	}
	return joined
}

// parkedFor is the address of the one object that all park for, empty if there is none.
func (g gathering) parkedFor() string {
	address := uint64(0)
	for _, w := range g.waiters {
		l := w.last().waitsOn()
		if w.last().Stack.op.kind != opPark || l == nil || l.address == 0 || address != 0 && l.address != address {
			return ""
		}
		address = l.address
	}
	return hex(address)
}

// waitingClass is the class in which all wait at a condition without end, empty if they do not.
func (g gathering) waitingClass() string {
	if slices.ContainsFunc(g.waiters, func(s still) bool { return s.last().Stack.op.kind != opCondition || !s.untimed() }) {
		return ""
	}
	return g.waiters[0].last().Stack.op.caller.Class
}

// atOwnConditions tells sides that wait at several conditions.
func (g gathering) atOwnConditions() bool {
	return g.waiters[0].last().Stack.op.kind == opCondition && slices.ContainsFunc(g.waiters, func(s still) bool {
		return s.last().object() != g.waiters[0].last().object()
	})
}

// buffersWithoutSignal reports buffers of the program's own in which those that put and those
// that take stand still, each in want of the other's signal: it is lost, or woke the wrong side.
func (f *facts) buffersWithoutSignal() []candidate {
	at := len(f.snaps) - 1
	var found []candidate
	for _, g := range f.gather(f.fullKey) {
		producers := g.samples()
		if producers[0].Stack.op.kind == opPut {
			continue // a queue of the JDK
		}
		consumers := f.likelyConsumers(at, producers)
		if len(consumers) == 0 || !f.bothWait(producers, consumers) {
			continue
		}
		all := append(slices.Clone(consumers), producers...)
		finding := Finding{
			Severity: f.gradeFull(g), Confidence: Likely,
			Title: fmt.Sprintf("%s wait in %s, those that put and those that take: a signal seems to be lost, or given to the wrong side",
				Counted(len(all), "thread"), shortClass(producers[0].Stack.op.caller)),
			Advice:   "Signal after every change, at the condition that the other side waits at; where both wait at one object, wake all (notifyAll, signalAll).",
			Culprits: f.refs(consumers), Victims: f.refs(producers), Resource: atResource("queue", producers[0]),
			Evidence: append(f.standEvidence(at, consumers), f.waitEvidence(at, producers)...),
		}
		if finding.Severity == Info {
			finding.Confidence = Possible
		}
		found = append(found, candidate{Finding: finding})
	}
	return found
}

// bothWait reports that producers and consumers of a buffer of the program's own stand still
// in methods of it, each in want of the other's signal.
func (f *facts) bothWait(producers, consumers []*Sample) bool {
	op := producers[0].Stack.op
	return op.kind != opPut && len(f.snaps) > 1 && !slices.ContainsFunc(consumers, func(s *Sample) bool {
		own := s.Stack.op
		waits := s.waits() && !s.timed() && (own.kind == opNotify || own.kind == opCondition)
		return !waits || own.caller == nil || own.caller.Class != op.caller.Class ||
			own.kind == opNotify && s.object() != producers[0].object() || !f.standsStill(f.history(s))
	})
}
