package missedsignal

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// bothSides reports threads that wait to put and threads that wait to take at one monitor or condition (see
// waits.TakersBesides). Over a capture it is a warning if a thread of each side does not move and no other thread uses
// the monitor in the last dump; else it is a hint.
func bothSides(f *timeline.Timeline) []finding.Candidate {
	putters, takers := map[string][]*timeline.Sample{}, map[string][]*timeline.Sample{}
	var order []string
	for _, h := range f.Alive() {
		s := h.Last()
		others := waits.TakersBesides(f, s)
		if len(others) == 0 {
			continue
		}
		at := s.Object()
		if takers[at] == nil {
			order = append(order, at)
		}
		takers[at], putters[at] = others, append(putters[at], s)
	}
	found := make([]finding.Candidate, 0, len(order))
	for _, at := range order {
		found = append(found, lostSignal(f, timeline.InNameOrder(putters[at]), takers[at]))
	}
	return found
}

func lostSignal(f *timeline.Timeline, putters, takers []*timeline.Sample) finding.Candidate {
	all, first := slices.Concat(putters, takers), putters[0]
	severity, confidence := finding.Info, finding.Possible
	if !locks.OneMoment(f) && stays(f, putters) && stays(f, takers) && !used(f, first.WaitsOn().Address) {
		severity, confidence = finding.Warning, finding.Likely
	}
	signal, remedy := "notify", "notifyAll instead of notify"
	if first.Stack.Op.Kind == stack.OpCondition {
		signal, remedy = "signal", "signalAll instead of signal"
	}
	at := len(f.Snaps) - 1
	return finding.Candidate{Finding: finding.Finding{
		Kind: finding.KindMissedSignal, Severity: severity, Confidence: confidence,
		Title: fmt.Sprintf("%s %s in %s and %d in %s at one object: a %s may be lost",
			finding.Counted(len(putters), "thread"), finding.Verb(len(putters), "waits", "wait"),
			signalPlaces(putters), len(takers), signalPlaces(takers), signal),
		Advice: fmt.Sprintf("A buffer is not full and empty at once, so one side could continue. Use %s: "+
			"a %s wakes one thread, which may be of the wrong side. Or use a Condition for each side.",
			remedy, signal),
		Culprits: f.Refs(all), Evidence: slices.Concat(f.WaitEvidence(at, putters), f.WaitEvidence(at, takers)),
		Resource: facts.WaitedResource(first.Stack.Op.Kind.Awaited(), first),
	}}
}

// stays reports whether one of some threads has not moved for some time up to the end of the capture.
func stays(f *timeline.Timeline, threads []*timeline.Sample) bool {
	return slices.ContainsFunc(threads, func(s *timeline.Sample) bool { return f.Unchanged(f.History(s)).Long() })
}

// used reports whether a thread of the last dump has the monitor of an object, or waits to enter it.
func used(f *timeline.Timeline, address uint64) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		s := h.Last()
		waits := s.Waits() && s.WaitsOn() != nil && s.WaitsOn().Address == address
		return !waits && slices.ContainsFunc(s.Locks, func(l timeline.Lock) bool { return l.Address == address })
	})
}
