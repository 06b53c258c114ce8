// Package jfrheap finds heaps that are nearly full of objects that live.
package jfrheap

import (
	"fmt"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Detector reports heaps that full collections leave nearly full.
var Detector = detect.Detector{
	Kind:     finding.KindGCPressure,
	Doc:      "a heap of a flight recording that is nearly full after full collections",
	Recorded: run,
}

// full is the share of the largest heap that is in use after a full collection. All of that lives: with a tenth left,
// the next collections come so often that they take the time of the program, and then memory runs out.
const full = 0.9

// repeated is how many full collections in a row must find this for a warning: one may come in a moment at which a
// large request is handled.
const repeated = 2

// run reports a heap that was nearly full after the last full collections of the recording. Young collections tell
// nothing: what they leave may be garbage.
func run(r *flight.Recording) []finding.Candidate {
	n := 0
	for n < len(r.Kept) && r.Kept[len(r.Kept)-1-n].Value >= full {
		n++
	}
	if n == 0 {
		return nil
	}
	first, last := r.Kept[len(r.Kept)-n], r.Kept[len(r.Kept)-1]
	severity := finding.Info
	if n >= repeated {
		severity = finding.Warning
	}
	const mb = 1 << 20
	return []finding.Candidate{{Finding: finding.Finding{
		Severity: severity, Confidence: finding.Proven,
		Title: fmt.Sprintf("the heap was %.0f %% full after %s, %s", 100*last.Value,
			finding.Counted(n, "full collection"), r.Between(first.At, last.At)),
		Evidence: []finding.Evidence{finding.Figure(fmt.Sprintf("in use after the one at %s: %.0f of %.0f MB",
			r.Clock(last.At), last.Value*float64(r.HeapMax)/mb, float64(r.HeapMax)/mb))},
		Advice: "Find what fills the heap: " + histogram(r.HeapMax) + ", or a heap dump. " +
			"If all of it is needed, raise -Xmx.",
	}}}
}

// histogram is the command that counts the objects of a heap of that size.
func histogram(heapMax int64) string {
	return memory.Histogram(&timeline.Counters{HeapMax: threaddump.Known(heapMax)})
}
