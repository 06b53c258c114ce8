// Package jfrpinned finds virtual threads that kept their carriers while they waited.
package jfrpinned

import (
	"fmt"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports carriers that pinned virtual threads took from the others.
var Detector = detect.Detector{
	Kind:     finding.KindVirtualThreadPinned,
	Doc:      "virtual threads of a flight recording that waited and kept their carriers",
	Recorded: run,
}

// The share of the carriers that was lost to pinned threads, over ten seconds. There are as many carriers as CPUs
// unless somebody sets another number; a tenth of them is noticed, with half of them the others wait for a carrier.
const (
	noticed = 0.1
	starves = 0.5
)

// run reports pinned threads if they kept a tenth of the carriers in some ten seconds; a warning from one half on. The
// number of CPUs must be known.
func run(r *flight.Recording) []finding.Candidate {
	carriers := float64(r.JVM.CPUs)
	if carriers == 0 {
		return nil
	}
	w := r.Pinned
	spells := w.Seconds.Spells(noticed * carriers)
	if len(spells) == 0 {
		return nil
	}
	severity := finding.Info
	if w.Seconds.Most() >= starves*carriers {
		severity = finding.Warning
	}
	culprits := detect.Refs(w.Waiters)
	return []finding.Candidate{{Finding: finding.Finding{
		Severity: severity, Confidence: finding.Proven, Culprits: culprits,
		Title: fmt.Sprintf("pinned virtual threads kept their carriers for %s%s, %s", detect.Span(w.Total),
			detect.TopPlace(w.Places, culprits), r.Worst(spells)),
		Evidence: detect.Waited(r, w, spells),
		Advice: "Replace synchronized by a ReentrantLock around the call that waits (JDK 24 and newer do not pin " +
			"there), or move native calls that wait to platform threads.",
	}}}
}
