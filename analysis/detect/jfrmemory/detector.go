// Package jfrmemory finds errors that tell of memory that ran out.
package jfrmemory

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports OutOfMemoryErrors.
var Detector = detect.Detector{
	Kind:     finding.KindGCPressure,
	Doc:      "an OutOfMemoryError in a flight recording",
	Recorded: run,
}

// kinds are the kinds of what ran out, by a part of the message.
var kinds = []struct {
	part string
	kind finding.Kind
}{
	{"native thread", finding.KindThreadLeak}, {"etaspace", finding.KindMetaspaceGrowth},
	{"class space", finding.KindMetaspaceGrowth}, {"irect buffer", finding.KindLimitNear},
}

// run reports each place that made an OutOfMemoryError: one is enough, as a program is not written to go on after it.
// The JVM's own errors of a full heap are made without an event.
func run(r *flight.Recording) []finding.Candidate {
	var found []finding.Candidate
	for _, t := range r.Memory {
		c := finding.Candidate{Finding: finding.Finding{
			Severity: finding.Warning, Confidence: finding.Proven, Culprits: detect.Refs([]flight.Thread{t.Thread}),
			Title: fmt.Sprintf("OutOfMemoryError (%s) was thrown in %s, %s", t.Message, t.Thread.Place.Frame,
				r.Between(t.First, t.Last)),
			Evidence: []finding.Evidence{finding.Figure(fmt.Sprintf("%s: %s from %s on", t.Class,
				finding.Counted(int(t.Count), "error"), r.Clock(t.First)))},
			Advice: "Find what takes the memory that the message names, or raise its limit.",
		}}
		for _, k := range kinds {
			if strings.Contains(t.Message, k.part) {
				c.Kind = k.kind
			}
		}
		found = append(found, c)
	}
	return found
}
