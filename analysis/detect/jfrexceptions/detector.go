// Package jfrexceptions finds programs that make so many exceptions that these cost CPU time.
package jfrexceptions

import (
	"fmt"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports exceptions at a high rate.
var Detector = detect.Detector{
	Kind:     finding.KindExceptions,
	Doc:      "exceptions of a flight recording that were made at a high rate",
	Recorded: run,
}

// costly is how many exceptions a second cost a tenth of a core: filling in the stack of one takes some ten
// microseconds at the depth that server programs have.
const costly = 10_000

// run reports the times in which so many exceptions were made over ten seconds. It is a hint.
func run(r *flight.Recording) []finding.Candidate {
	spells := r.Thrown.Spells(costly)
	if len(spells) == 0 {
		return nil
	}
	f := finding.Finding{
		Severity: finding.Info, Confidence: finding.Proven,
		Title: fmt.Sprintf("%s exceptions a second were made, %s", finding.Thousands(int(r.Thrown.Most())),
			r.Worst(spells)),
		Evidence: []finding.Evidence{finding.Figure(fmt.Sprintf("%s exceptions, %s",
			finding.Thousands(int(r.Thrown.Within(spells))), r.When(spells)))},
		Advice: "Find where they are made: record jdk.JavaExceptionThrow. Do not use exceptions for what is usual.",
	}
	if recorded(r.Throws) < r.Thrown.Within(spells)/2 { // only errors were recorded one by one, or not at that time
		return []finding.Candidate{{Finding: f}}
	}
	const most = 3
	for i, t := range r.Throws[:min(len(r.Throws), most)] {
		if i == 0 {
			f.Culprits = detect.Refs([]flight.Thread{t.Thread})
			f.Advice = "Do not use exceptions for what is usual, or make them without a stack."
		}
		f.Evidence = append(f.Evidence, finding.Figure(fmt.Sprintf("%s × %s in %s",
			finding.Thousands(int(t.Count)), t.Class, detect.Place(t.Thread.Place))))
	}
	return []finding.Candidate{{Finding: f}}
}

// recorded is how many exceptions were recorded one by one.
func recorded(throws []flight.Throw) float64 {
	sum := 0.0
	for _, t := range throws {
		sum += float64(t.Count)
	}
	return sum
}
