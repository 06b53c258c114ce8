package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// disruptor begins the names of LMAX's classes, whose publishers look again and again
// whether the ring has room.
const disruptor = "com.lmax.disruptor."

// addPublishers adds those that wanted room in a ring in every dump, where the loop
// handles the events of one.
func (f *facts) addPublishers(dependents []*history, l loop) []*history {
	if !l.last().Stack.isInside(disruptor, "") {
		return dependents
	}
	for _, h := range f.alive() {
		claims := !slices.ContainsFunc(h.samples, func(s *Sample) bool { return !s.Stack.claimsInRing() })
		if claims && len(h.samples) == len(f.snaps) && h != l.history && !slices.Contains(dependents, h) {
			dependents = append(dependents, h)
		}
	}
	return dependents
}

// claimsInRing tells a thread that wants room in a ring.
func (s *Stack) claimsInRing() bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return strings.HasPrefix(f.Class, disruptor) && f.Method == "next"
	})
}

// fullRings finds rings that nobody makes room in: everyone who handles events, of whichever
// ring, wants room in one itself. What they look for again and again costs CPU, so they do
// not stand still as others do at a full queue.
//
// Rule: over a look that is long enough every dump shows publishers looking for room at the
// same line, at least one of them called by the loop that handles a ring's events; and no such
// loop has anything else to do. Or there is no such loop left at all.
func (f *facts) fullRings() []candidate {
	if !f.measurable() || len(f.snaps) < leastDumps {
		return nil
	}
	var handlers, feeders []*Sample
	handled := false
	for _, h := range f.alive() {
		s := h.last()
		handles := s.Stack.isInside(disruptor+"BatchEventProcessor", "") || s.Stack.isInside(disruptor+"WorkProcessor", "")
		handled = handled || handles
		switch claims := f.claimsThroughout(h); {
		case claims && handles:
			handlers = append(handlers, s)
		case claims:
			feeders = append(feeders, s)
		case handles && !h.surelyIdle():
			return nil
		}
	}
	if len(handlers) == 0 {
		return f.unhandledRing(feeders, handled)
	}
	finding := Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("%s, which %s the events of a ring, %s for room in a full one, and nobody else makes any",
			quoteThreads(inNameOrder(handlers)), verb(len(handlers), "handles", "handle"), verb(len(handlers), "waits", "wait")),
		Advice:   "Do not publish from a handler into its own ring, or into one that leads back to it: hand on to another ring, or use tryNext and put aside what finds no room.",
		Resource: &Resource{Type: "queue", Class: disruptor + "RingBuffer"},
		Culprits: f.refs(handlers), Victims: f.refs(feeders),
		Evidence: f.standEvidence(len(f.snaps)-1, handlers),
	}
	return []candidate{{Finding: finding}}
}

// unhandledRing finds publishers to a ring of which no thread handles the events any more.
func (f *facts) unhandledRing(publishers []*Sample, handled bool) []candidate {
	if len(publishers) == 0 || handled || len(f.snaps) < 3 || !f.last().closed() {
		return nil
	}
	return []candidate{{Finding: Finding{
		Severity: Warning, Confidence: Likely,
		Title:    quoteThreads(inNameOrder(publishers)) + " " + verb(len(publishers), "waits", "wait") + " for room in a full ring; no thread in the dump handles its events",
		Advice:   "Find out why the thread that handled the events has ended: an exception that its handler let through may have.",
		Resource: &Resource{Type: "queue", Class: disruptor + "RingBuffer"},
		Culprits: f.refs(publishers), Evidence: f.standEvidence(len(f.snaps)-1, publishers),
	}}}
}

// claimsThroughout reports that every dump shows the thread at one place of the program, where
// it wants room in a ring.
func (f *facts) claimsThroughout(h *history) bool {
	place := h.last().Stack.Application
	return len(h.samples) == len(f.snaps) && place != nil && !slices.ContainsFunc(h.samples, func(s *Sample) bool {
		return !s.Stack.claimsInRing() || s.Stack.Application != place
	})
}
