// Package jfrothers finds times in which other processes used the CPUs.
package jfrothers

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports a machine whose CPUs are used by others than the JVM.
var Detector = detect.Detector{
	Kind:     finding.KindCPUStarved,
	Doc:      "other processes that used the CPUs while a flight recording was made",
	Recorded: run,
}

// nearlyAll is the share of all CPUs in use from which threads wait for one, half the part of it that is the JVM's own
// at most: the others have more than it. It must last as long as a person notices.
const (
	nearlyAll = 0.9
	half      = 0.5
	lasts     = 10 * time.Second
)

// run reports the times in which nine tenths of the CPUs were in use for ten seconds, at most half of that by the JVM.
// It is a hint: the recording does not tell how long its threads waited for a CPU.
func run(r *flight.Recording) []finding.Candidate {
	if len(r.OwnCPU) != len(r.AllCPU) {
		return nil
	}
	spells := flight.Lasting(r.AllCPU, lasts, func(i int) bool {
		return r.AllCPU[i].Value >= nearlyAll && r.OwnCPU[i].Value <= half*r.AllCPU[i].Value
	})
	if len(spells) == 0 {
		return nil
	}
	worst := detect.Worst(spells)
	own, n := 0.0, 0
	for _, p := range r.OwnCPU {
		if p.At >= worst.From && p.At <= worst.To {
			own, n = own+p.Value, n+1
		}
	}
	return []finding.Candidate{{Finding: finding.Finding{
		Severity: finding.Info, Confidence: finding.Likely,
		Title: fmt.Sprintf("other processes used the CPU: %s in use, %s by this JVM, %s", finding.Percent(worst.Sum),
			finding.Percent(own/float64(max(1, n))), r.When([]flight.Spell{worst})),
		Evidence: []finding.Evidence{finding.Figure("the CPUs were in use by others " + r.When(spells))},
		Advice:   "Find the process with top on that machine. Move it or this JVM, or add cores.",
	}}}
}
