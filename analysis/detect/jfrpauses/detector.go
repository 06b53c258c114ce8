// Package jfrpauses finds garbage collections that stopped the application for much of the time.
package jfrpauses

import (
	"fmt"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports pauses of collections that cost much time.
var Detector = detect.Detector{
	Kind:     finding.KindGCPressure,
	Doc:      "garbage collections of a flight recording that paused the application for much of the time",
	Recorded: run,
}

// The share of ten seconds in which the application is stopped. A tenth is a second without an answer. A quarter is
// more than collectors are set to take at most (GCTimeRatio of Parallel allows 1 %, of G1 8 %), and the rest is not
// enough for busy threads. At nine tenths the program hardly runs.
const (
	noticed   = 0.1
	pressure  = 0.25
	noProgram = 0.9
)

// several is how much longer the pauses must be than the longest of them for a warning: one pause alone may be that
// of a machine that was suspended or swapped.
const several = 1.2

// run reports collections whose pauses took a tenth of some ten seconds; a warning from a quarter on, critical from
// nine tenths on, if there were several.
func run(r *flight.Recording) []finding.Candidate {
	p := r.Pauses
	spells := p.Seconds.Spells(noticed)
	if len(spells) == 0 {
		return nil
	}
	worst := detect.Worst(spells)
	severity := finding.Info
	if worst.Sum >= several*p.Longest.Seconds() {
		switch most := p.Seconds.Most(); {
		case most >= noProgram:
			severity = finding.Critical
		case most >= pressure:
			severity = finding.Warning
		}
	}
	f := finding.Finding{
		Severity: severity, Confidence: finding.Proven,
		Title: fmt.Sprintf("garbage collections paused the application for %s of the time, %s; longest pause %s",
			finding.Percent(detect.Share(r, worst)), r.Worst(spells), detect.Span(p.Longest)),
		Evidence: []finding.Evidence{
			finding.Figure(fmt.Sprintf("%s: %s paused for %s in total, longest %s at %s (%s)", r.When(spells),
				finding.Counted(int(p.Count), "collection"), detect.Span(p.Total), detect.Span(p.Longest),
				r.Clock(p.LongestAt), p.Cause)),
		},
		Advice: "Find what allocates: jstall flame FILE.jfr --event alloc. If most of the heap lives after full " +
			"collections, raise -Xmx.",
	}
	const most = 3
	for _, c := range p.Causes[:min(len(p.Causes), most)] {
		f.Evidence = append(f.Evidence, finding.Figure(fmt.Sprintf("%s: %s, %s", c.Name,
			finding.Counted(int(c.Count), "collection"), detect.Span(c.Total))))
	}
	return []finding.Candidate{{Finding: f}}
}
