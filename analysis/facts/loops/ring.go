package loops

import (
	"fmt"
	"slices"
	"strings"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Disruptor begins the names of LMAX's classes, whose publishers look again and again
// whether the ring has room.
const Disruptor = "com.lmax.disruptor."

// ClaimsInRing tells a thread that wants room in a ring.
func ClaimsInRing(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return strings.HasPrefix(f.Class, Disruptor) && f.Method == "next"
	})
}

// FullRings reports publishers that wait for space in a full ring.
//
// Rule: every dump shows them look for room at the same line. They do so again and again, which
// costs CPU, so they do not stand still as others do at a full queue. One of them that a handler
// of events called is to blame: it publishes into a ring while its own ring is not emptied. It is
// a hint if fewer than two publishers wait, or from one dump.
func FullRings(f *timeline.Timeline) []finding.Candidate {
	var handlers, feeders []*timeline.Sample
	for _, h := range f.Alive() {
		switch s := h.Last(); {
		case !claimsThroughout(f, h):
		case handlesEvents(s.Stack):
			handlers = append(handlers, s)
		default:
			feeders = append(feeders, s)
		}
	}
	all := slices.Concat(handlers, feeders)
	if len(all) < 2 {
		return nil
	}
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title:    timeline.QuoteThreads(timeline.InNameOrder(all)) + " wait for space in a full ring",
		Advice:   "Find what blocks the event handler of the ring. A larger ring only fills later.",
		Resource: &finding.Resource{Type: "queue", Class: Disruptor + "RingBuffer"},
		Culprits: f.Refs(timeline.InNameOrder(all)), Evidence: f.StandEvidence(len(f.Snaps)-1, all),
	}
	if len(handlers) > 0 {
		result.Title = fmt.Sprintf("%s %s for space in a full ring while handling an event; %s behind",
			timeline.QuoteThreads(timeline.InNameOrder(handlers)), finding.Verb(len(handlers), "waits", "wait"),
			finding.Counted(len(feeders), "publisher"))
		result.Advice = "Do not publish from a handler into its own ring, or into one that leads back to it: use " +
			"tryNext and put aside what finds no room."
		result.Culprits, result.Victims = f.Refs(timeline.InNameOrder(handlers)), f.Refs(feeders)
	}
	if len(f.Snaps) >= timeline.LeastDumps && f.Measurable() {
		result.Severity, result.Confidence = finding.Warning, finding.Likely
	}
	return []finding.Candidate{{Finding: result}}
}

// handlesEvents tells a stack that the loop over a ring's events runs.
func handlesEvents(s *stack.Stack) bool {
	return s.IsInside(Disruptor+"BatchEventProcessor", "") || s.IsInside(Disruptor+"WorkProcessor", "")
}

// claimsThroughout reports that every dump shows the thread at one place of the program, where
// it wants room in a ring.
func claimsThroughout(f *timeline.Timeline, h *timeline.History) bool {
	place := h.Last().Stack.Application
	elsewhere := func(s *timeline.Sample) bool { return !ClaimsInRing(s.Stack) || s.Stack.Application != place }
	return len(h.Samples) == len(f.Snaps) && place != nil && !slices.ContainsFunc(h.Samples, elsewhere)
}
