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
func (f *timeline) addPublishers(dependents []*history, l loop) []*history {
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

// fullRings reports publishers that wait for room in a full ring.
//
// Rule: every dump shows them look for room at the same line. They do so again and again, which
// costs CPU, so they do not stand still as others do at a full queue. One of them that a handler
// of events called is to blame: it publishes into a ring while its own ring is not emptied. It is
// a hint if fewer than two publishers wait, or from one dump.
func (f *timeline) fullRings() []candidate {
	var handlers, feeders []*Sample
	for _, h := range f.alive() {
		switch s := h.last(); {
		case !f.claimsThroughout(h):
		case s.Stack.handlesEvents():
			handlers = append(handlers, s)
		default:
			feeders = append(feeders, s)
		}
	}
	all := slices.Concat(handlers, feeders)
	if len(all) < 2 {
		return nil
	}
	result := Finding{
		Severity: Info, Confidence: Possible,
		Title:    quoteThreads(inNameOrder(all)) + " wait for room in a full ring",
		Advice:   "Find what holds up the handler of the ring's events. A larger ring only delays the moment.",
		Resource: &Resource{Type: "queue", Class: disruptor + "RingBuffer"},
		Culprits: f.refs(inNameOrder(all)), Evidence: f.standEvidence(len(f.snaps)-1, all),
	}
	if len(handlers) > 0 {
		result.Title = fmt.Sprintf("%s %s for room in a full ring while handling an event; %s behind",
			quoteThreads(inNameOrder(handlers)), verb(len(handlers), "waits", "wait"), Counted(len(feeders), "publisher"))
		result.Advice = "Do not publish from a handler into its own ring, or into one that leads back to it: use " +
			"tryNext and put aside what finds no room."
		result.Culprits, result.Victims = f.refs(inNameOrder(handlers)), f.refs(feeders)
	}
	if len(f.snaps) >= leastDumps && f.measurable() {
		result.Severity, result.Confidence = Warning, Likely
	}
	return []candidate{{Finding: result}}
}

// handlesEvents tells a stack that the loop over a ring's events runs.
func (s *Stack) handlesEvents() bool {
	return s.isInside(disruptor+"BatchEventProcessor", "") || s.isInside(disruptor+"WorkProcessor", "")
}

// claimsThroughout reports that every dump shows the thread at one place of the program, where
// it wants room in a ring.
func (f *timeline) claimsThroughout(h *history) bool {
	place := h.last().Stack.Application
	return len(h.samples) == len(f.snaps) && place != nil && !slices.ContainsFunc(h.samples, func(s *Sample) bool {
		return !s.Stack.claimsInRing() || s.Stack.Application != place
	})
}
