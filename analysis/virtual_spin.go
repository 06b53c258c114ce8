package analysis

import (
	"fmt"
	"slices"
)

// carriersAsk reports virtual threads that take all carriers while others wait for one, and do nothing
// but ask for something: who could bring it may be one of those.
func (f *timeline) carriersAsk() []candidate {
	t := f.takenCarriers()
	if len(t.pinned) > 0 || len(t.busy) == 0 || !t.nobodyRuns() || !t.onlyAsk() {
		return nil
	}
	return []candidate{{Finding: Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("%s for a carrier: the virtual thread on %s does nothing but ask, in %s",
			waitFor(t.ready), eachCarrier(len(t.busy)), t.busy[0].stack.Application.Name()),
		Advice:   "Wait in a way that gives the carrier back (a lock, latch or future): who could bring what is asked for may be one of those that wait for a carrier.",
		Culprits: f.carried(t.busy), Victims: f.virtualRefs(t.ready), Evidence: f.carrierEvidence(t.busy),
	}, unlisted: sizeOf(t.ready) - len(t.ready), behind: carriersHot(t.busy)}}
}

// onlyAsk reports that each virtual thread that computes on a carrier does nothing but ask.
func (t *taken) onlyAsk() bool {
	return !slices.ContainsFunc(t.busy, func(c carrier) bool { return !onlyAsks(c.stack) })
}

// onlyAsks reports that a stack ends where one asks and is told at once, or in a method of the application
// that says by its name that it waits or locks.
func onlyAsks(s *Stack) bool {
	at := s.Application
	return at != nil && (s.asksIn() != "" || s.Frames[0] == at && (saysThatItWaits(at) || saysThatItLocks(at)))
}
