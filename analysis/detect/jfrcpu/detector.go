// Package jfrcpu finds times in which a JVM used nearly all CPUs, and what it did then.
package jfrcpu

import (
	"fmt"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports a JVM that uses nearly all CPUs of its machine.
var Detector = detect.Detector{
	Kind:     finding.KindHotThread,
	Doc:      "a JVM of a flight recording that used nearly all CPUs, with the methods that ran then",
	Recorded: run,
}

// nearlyAll is the share of all CPUs from which more work only waits longer. It must last as long as a person notices;
// a JVM in its first minute starts and compiles.
const (
	nearlyAll = 0.9
	lasts     = 10 * time.Second
	start     = time.Minute
)

// much is the share of samples from which on a method is worth a separate finding.
const much = 0.1

// run reports the times in which the JVM used nine tenths of the CPUs for ten seconds, with the methods that most
// samples show then. It is a hint: a computation may use what there is.
func run(r *flight.Recording) []finding.Candidate {
	spells := flight.Lasting(r.OwnCPU, lasts, func(i int) bool { return r.OwnCPU[i].Value >= nearlyAll })
	spells = slices.DeleteFunc(spells, func(s flight.Spell) bool { return s.To < r.JVM.Started.Add(start) })
	if len(spells) == 0 {
		return nil
	}
	used := detect.Worst(spells).Sum
	of := finding.Percent(used) + " of the CPUs"
	if n := r.JVM.CPUs; n > 0 {
		of = fmt.Sprintf("%.1f of %s", used*float64(n), finding.Counted(n, "CPU"))
	}
	f := finding.Finding{
		Severity: finding.Info, Confidence: finding.Proven,
		Evidence: []finding.Evidence{finding.Figure("the JVM used " + of + ", " + r.When(spells))},
		Advice:   "See which calls use the CPU: jstall flame FILE.jfr.",
	}
	title := fmt.Sprintf("the JVM used %s, %s", of, r.When(spells[:1]))
	all := 0.0
	for _, m := range r.Methods {
		all += m.Samples.Within(spells)
	}
	for i, m := range r.Methods {
		share := m.Samples.Within(spells) / max(1, all)
		if share < much {
			continue
		}
		if i == 0 {
			title += fmt.Sprintf("; %s of the samples are in %s", finding.Percent(share), m.Frame)
		}
		f.Evidence = append(f.Evidence, finding.Figure(fmt.Sprintf("%s of the samples are in %s",
			finding.Percent(share), m.Frame)))
	}
	f.Title = title
	return []finding.Candidate{{Finding: f}}
}
