// Package jfrquota finds times in which the CPU quota of a container stopped the JVM.
package jfrquota

import (
	"fmt"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports a container whose CPU quota was used up.
var Detector = detect.Detector{
	Kind:     finding.KindCPUStarved,
	Doc:      "a CPU quota that stopped the JVM while a flight recording was made",
	Recorded: run,
}

// The share of the quota's periods at whose end all threads had to wait for the next one. In a tenth of them calls take
// up to a tenth of a second longer; where it is every second one, the program wants more than it has.
const (
	noticed = 0.1
	wants   = 0.5
)

// run reports the times in which a tenth of the periods were cut short over ten seconds; a warning from one half on.
func run(r *flight.Recording) []finding.Candidate {
	spells := r.Throttled.Spells(noticed)
	if len(spells) == 0 {
		return nil
	}
	severity := finding.Info
	if r.Throttled.Most() >= wants {
		severity = finding.Warning
	}
	return []finding.Candidate{{Finding: finding.Finding{
		Severity: severity, Confidence: finding.Proven,
		Title: fmt.Sprintf("the CPU quota of the container was used up in %s of its periods, %s",
			finding.Percent(detect.Share(r, detect.Worst(spells))), r.Worst(spells)),
		Evidence: []finding.Evidence{finding.Figure("the JVM was stopped by the quota " + r.When(spells))},
		Advice:   "Raise the CPU limit of the container, or give the JVM fewer threads that run at once.",
	}}}
}
