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

// fullRings finds threads that handle the events of a ring and wait for room in one: what they look
// for again and again costs CPU, so they do not stand still as others do at a full queue.
//
// Rule: over a look that is long enough every dump shows a thread, called by the loop that handles a
// ring's events, looking for room at the same line, and no other such loop works: a stage before a
// slower one waits its turn. Publishers that look for room as well are its victims.
func (f *facts) fullRings() []candidate {
	if !f.measurable() || len(f.snaps) < leastDumps {
		return nil
	}
	var handlers, feeders []*Sample
	for _, h := range f.alive() {
		s := h.last()
		handles := s.Stack.isInside(disruptor+"BatchEventProcessor", "") || s.Stack.isInside(disruptor+"WorkProcessor", "")
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
		return nil
	}
	return []candidate{{Finding: Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("%s, which %s the events of a ring, %s for room in a full one",
			quoteThreads(inNameOrder(handlers)), verb(len(handlers), "handles", "handle"), verb(len(handlers), "waits", "wait")),
		Advice:   "Do not publish from a handler into its own ring, or into one that leads back to it: hand on to another ring, or use tryNext and put aside what finds no room.",
		Resource: &Resource{Type: "queue", Class: disruptor + "RingBuffer"},
		Culprits: f.refs(handlers), Victims: f.refs(feeders),
		Evidence: f.standEvidence(len(f.snaps)-1, handlers),
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
