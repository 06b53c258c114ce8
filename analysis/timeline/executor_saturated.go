package timeline

import (
	"slices"
	"time"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

// StandsStill reports that a thread was seen at one place without CPU in every
// dump.
func (f *Timeline) StandsStill(h *History) bool {
	return ProgressOf(f, h) == Stands && len(h.Samples) == len(f.Snaps)
}

// NeverWoke reports that a thread stands in one and the same wait: it was not woken
// even once, as far as its CPU time is known. One that wants a monitor is, up to
// JDK 22: the JVM lets it look again by itself.
func (f *Timeline) NeverWoke(h *History) bool {
	woken := h.Last().State != threaddump.Blocked && h.CPU.Known && h.CPU.Value > WakeCost*time.Duration(len(f.Snaps)-1)
	return f.StandsStill(h) && !woken
}

// Woke reports that a thread is known to have been woken in the capture.
func (f *Timeline) Woke(h *History) bool { return h.CPU.Known && !f.NeverWoke(h) }

// PlaceEvidence quotes the first application frame of a thread's last stack.
func (f *Timeline) PlaceEvidence(h *History) []finding.Evidence {
	s := h.Last()
	if len(s.Stack.Frames) == 0 {
		return nil
	}
	i := slices.Index(s.Stack.Frames, s.Stack.Application)
	if i < 0 {
		i = max(0, slices.IndexFunc(s.Stack.Frames, func(f *threaddump.Frame) bool { return !stack.IsJDK(f) }))
	}
	return []finding.Evidence{f.QuoteFrame(h.LastAt(), s, i)}
}
