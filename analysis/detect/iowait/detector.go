// Package iowait finds threads that are blocked in I/O.
package iowait

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
)

// Detector reports threads that make no progress in I/O.
var Detector = detect.Detector{
	Kind: finding.KindIOWait,
	Doc:  "threads that make no progress in I/O that others wait for",
	Run:  run,
}

// run reports threads of the program that are in I/O and make no progress.
//
// Rule: each of three dumps over at least a second and a half, or of two between which the thread used no CPU, shows it
// at one place in a call that reads, writes, connects, locks a file, resolves a name or waits for a child process. For
// file locks and FIFOs two dumps are enough without CPU times, too. A write, a connect and a file lock wait for a peer;
// so does a read from a connection that this process opened, and a read whose result another thread waits for. A read
// from an accepted connection waits for the next request and is not reported. A read directly in the run method of a
// thread waits for the next message and is not reported either, unless another thread waits for that message. All other
// cases are a hint. A read with a time limit is a hint too, and so is a read from this JVM while a thread that serves
// requests pauses: a long poll looks the same. For reads of random numbers see entropy.
func run(f *facts.Facts) []finding.Candidate {
	found := entropy(f)
	var stuck, unsure []iowaits.Waiter
	pauses := servesWithPauses(f.Timeline)
	for _, w := range f.IOWaits.IOWaiters() {
		if readsSeed(w.H.Last()) || w.ReadsForItself() {
			continue
		}
		w.Ends = iowaits.ReadEnds(f.Timeline, w.H) // whatever waits for it
		switch {
		case w.Stuck() && (!pauses || !f.IOWaits.ConnectsToSelf(w.H)):
			stuck = append(stuck, w)
		case w.Side != iowaits.SideRequest && !(w.ByDesign() && len(behindIO(f.IOWaits, []iowaits.Waiter{w})) == 0):
			unsure = append(unsure, w)
		}
	}
	if len(stuck) > 0 {
		found = append(found, ioFinding(f.IOWaits, stuck, finding.Warning, finding.Likely))
	}
	if len(unsure) > 0 {
		found = append(found, ioFinding(f.IOWaits, unsure, finding.Info, finding.Possible))
	}
	return found
}

// servesWithPauses reports whether a thread that serves a request waits with a time limit.
func servesWithPauses(f *timeline.Timeline) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		s := h.Last()
		return s.Timed() && s.Waits() && pools.Serves(s.Stack) && !h.Idle()
	})
}

func ioFinding(f *iowaits.Waits, waiters []iowaits.Waiter, severity finding.Severity,
	confidence finding.Confidence) finding.Candidate {
	order.SortStable(waiters, func(a, b iowaits.Waiter) int {
		return cmp.Or(cmp.Compare(a.H.Thread.Name, b.H.Thread.Name), cmp.Compare(a.H.Thread.ID, b.H.Thread.ID))
	})
	behind := behindIO(f, waiters)
	result := finding.Finding{
		Severity: severity, Confidence: confidence,
		Title:  ioTitle(f.Pools, waiters, len(behind)),
		Advice: iowaits.IOAdvice(waiters, len(behind), severity), Victims: f.Timeline.Refs(behind),
	}
	if advice := queueAdvice(f, waiters); severity == finding.Info && len(behind) == 0 && advice != "" {
		result.Advice = advice
	}
	for _, w := range waiters {
		result.Culprits = append(result.Culprits, f.Timeline.Ref(w.H.Last()))
	}
	const shown = 3
	for _, w := range waiters[:min(shown, len(waiters))] {
		result.Evidence = append(result.Evidence, f.Timeline.PlaceEvidence(w.H)...)
		if task := f.Timeline.Last().Tasks[w.H.Thread.NativeID]; task.WaitChannel != "" {
			result.Evidence = append(result.Evidence, kernelWait(w.H.Thread.Called(), task))
		}
	}
	return finding.Candidate{Finding: result, Behind: result.ExplainsSaturation()}
}
