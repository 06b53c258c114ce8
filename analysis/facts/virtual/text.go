package virtual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/threaddump"
)

// IsCarriersCPU reports whether a finding is only about the CPU that these carriers use for the virtual threads that
// they run.
func IsCarriersCPU(held []Carrier) func(effect *finding.Finding) bool {
	carriers := map[finding.ThreadID]bool{}
	for _, c := range held {
		if c.thread != nil {
			carriers[finding.ThreadID{ID: c.thread.Thread.ID}] = true
		}
	}
	return func(effect *finding.Finding) bool {
		return effect.Kind == finding.KindHotThread && finding.AllAmong(effect.Culprits, carriers)
	}
}

// WaitersWords are "3 virtual threads wait".
func WaitersWords(ready []*timeline.Sample) string {
	n := timeline.SizeOf(ready)
	return finding.Counted(n, "virtual thread") + " " + finding.Verb(n, "waits", "wait")
}

// CarriersWords complete "the virtual thread on ..." for all n carriers.
func CarriersWords(n int) string {
	if n == 1 {
		return "the only one"
	}
	return fmt.Sprintf("each of the %d", n)
}

// CarriedRefs names the virtual threads with the frame of the application in which each is. If the dump does not name a
// virtual thread, it names the carrier.
func CarriedRefs(f *timeline.Timeline, all []Carrier) []finding.ThreadRef {
	refs := make([]finding.ThreadRef, 0, len(all))
	for _, c := range all {
		var r finding.ThreadRef
		if c.virtual == nil {
			r = f.Ref(c.thread)
		} else {
			r = timeline.WithVirtualThreads(f).Ref(c.virtual)
		}
		r.CPUPercent = timeline.InPercent(f.History(c.thread).Share())
		r.SetFrame(c.Stack.Application)
		refs = append(refs, r)
	}
	order.SortStable(refs, finding.CompareRefs)
	return refs
}

// CarrierEvidence quotes, for the first few carriers, the virtual thread that each carries and the frames that may pin
// it.
func CarrierEvidence(f *timeline.Timeline, all []Carrier) []finding.Evidence {
	const shown = 3
	var quotes []finding.Evidence
	for _, c := range all[:min(shown, len(all))] {
		if c.thread.Carrier != 0 && f.Last().Instant {
			quotes = append(quotes, f.Quote(len(f.Snaps)-1,
				fmt.Sprintf("Carrying virtual thread #%d", c.thread.Carrier), carryingLine(c.thread)))
		}
		for _, frame := range c.suspects(MonitorPins(f)) {
			quotes = append(quotes, quoteCarried(f, c, frame))
		}
	}
	return quotes
}

// quoteCarried cites a frame of a virtual thread from the dump that shows it.
func quoteCarried(f *timeline.Timeline, c Carrier, frame *threaddump.Frame) finding.Evidence {
	shown, s := f, c.thread
	switch {
	case c.virtual != nil && c.Stack == c.virtual.Stack:
		shown, s = timeline.WithVirtualThreads(f), c.virtual
	case c.Stack != c.thread.Stack: // of an earlier dump
		return finding.Figure("at " + frame.Text)
	}
	return shown.QuoteFrame(len(shown.Snaps)-1, s, slices.Index(c.Stack.Frames, frame))
}

// carryingLine is the line of a carrier in the dump that names its virtual thread.
func carryingLine(s *timeline.Sample) int32 {
	if s.Line == 0 {
		return 0
	}
	return s.Line + 1 + int32(strings.Count(s.Thread.Name, "\n"))
}

// VirtualRefs names virtual threads; empty if no dump lists any.
func VirtualRefs(f *timeline.Timeline, samples []*timeline.Sample) []finding.ThreadRef {
	if len(samples) == 0 {
		return nil
	}
	return timeline.WithVirtualThreads(f).Refs(samples)
}
