package virtual

import (
	"fmt"
	"slices"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// CarriersAsk reports virtual threads that take all carriers while others wait for one, and do nothing
// but ask for something: who could bring it may be one of those.
func CarriersAsk(f *timeline.Timeline) []finding.Candidate {
	t := TakenCarriers(f)
	if len(t.Pinned) > 0 || len(t.Busy) == 0 || !t.NoneFree() || !t.OnlyAsk() {
		return nil
	}
	return []finding.Candidate{{Finding: finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title: fmt.Sprintf("%s for a carrier: the virtual thread on %s does nothing but ask, in %s",
			WaitersWords(t.Ready), CarriersWords(len(t.Busy)), t.Busy[0].Stack.Application.Name()),
		Advice: "Wait in a way that gives the carrier back (a lock, latch or future): who could bring what is " +
			"asked for may be one of those that wait for a carrier.",
		Culprits: CarriedRefs(f, t.Busy), Victims: VirtualRefs(f, t.Ready), Evidence: CarrierEvidence(f, t.Busy),
	}, Unlisted: timeline.SizeOf(t.Ready) - len(t.Ready), Behind: IsCarriersCPU(t.Busy)}}
}

// OnlyAsk reports that each virtual thread that computes on a carrier does nothing but ask.
func (t *CarrierUse) OnlyAsk() bool {
	return !slices.ContainsFunc(t.Busy, func(c Carrier) bool { return !onlyAsks(c.Stack) })
}

// onlyAsks reports that a stack ends where one asks and is told at once, or in a method of the application
// that says by its name that it waits or locks.
func onlyAsks(s *stack.Stack) bool {
	at := s.Application
	return at != nil && (cpu.AsksIn(s) != "" || s.Frames[0] == at && (cpu.NamedLikeWait(at) || cpu.NamedLikeLock(at)))
}
