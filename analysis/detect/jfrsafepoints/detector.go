// Package jfrsafepoints finds threads that came late to a safepoint while all others were stopped.
package jfrsafepoints

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports safepoints that took long to reach.
var Detector = detect.Detector{
	Kind:     finding.KindSlowSafepoint,
	Doc:      "safepoints of a flight recording that threads took long to reach",
	Recorded: run,
}

// The share of ten seconds in which the application was stopped for this, as for garbage collections: a tenth is a
// second without an answer, a quarter leaves too little for busy threads.
const (
	noticed = 0.1
	much    = 0.25
	several = 1.2 // times the longest one: one alone may be that of a machine that was suspended or swapped
)

// run reports the way to safepoints if it took a tenth of some ten seconds; a warning from a quarter on, if there were
// several. The recording does not tell which thread was late.
func run(r *flight.Recording) []finding.Candidate {
	s := r.Safepoints
	spells := s.Seconds.Spells(noticed)
	if len(spells) == 0 {
		return nil
	}
	worst := detect.Worst(spells)
	severity := finding.Info
	if s.Seconds.Most() >= much && worst.Sum >= several*s.Longest.Seconds() {
		severity = finding.Warning
	}
	return []finding.Candidate{{Finding: finding.Finding{
		Severity: severity, Confidence: finding.Proven,
		Title: fmt.Sprintf("all threads stood still for %s until the last one came to a safepoint, %s; longest %s",
			detect.Span(seconds(worst.Sum)), r.Worst(spells), detect.Span(s.Longest)),
		Evidence: []finding.Evidence{finding.Figure(fmt.Sprintf("%s, %s in total, longest %s at %s",
			finding.Counted(int(s.Count), "recorded safepoint"), detect.Span(s.Total), detect.Span(s.Longest),
			r.Clock(s.LongestAt)))},
		Advice: "Log the late threads with -Xlog:safepoint*=debug, or with -XX:+SafepointTimeout and " +
			"-XX:SafepointTimeoutDelay=500. Long loops over int and large copies of arrays are the usual causes, " +
			"then a machine that swaps.",
	}}}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
