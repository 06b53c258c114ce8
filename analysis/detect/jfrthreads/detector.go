// Package jfrthreads finds programs whose number of threads grows.
package jfrthreads

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports a number of threads that grows through a recording.
var Detector = detect.Detector{
	Kind:     finding.KindThreadLeak,
	Doc:      "a number of threads that grew all through a flight recording",
	Recorded: run,
}

// The recording without the JVM's first minute, in which pools fill, is cut into parts of equal length. The mean of
// each must exceed that of the part before by a tenth of all growth at least, as a leak goes on and a pool that fills
// stops; in the end there are half as many again, and more than the CPUs could ever run at once by far.
const (
	start  = time.Minute
	least  = time.Minute // of the rest
	parts  = 5
	steady = 0.1
	growth = 1.5
	many   = 200
)

// run reports a number of threads that grew in every fifth of the recording, by half in all. It is a hint: the dumps
// tell whose threads they are.
func run(r *flight.Recording) []finding.Candidate {
	points := r.Threads
	for len(points) > 0 && points[0].At < r.JVM.Started.Add(start) {
		points = points[1:]
	}
	if len(points) < 2*parts {
		return nil
	}
	first, last := points[0], points[len(points)-1]
	grown := last.Value - first.Value
	if last.At.Sub(first.At) < least || last.Value < growth*first.Value || last.Value < many {
		return nil
	}
	before := 0.0
	for i := range parts {
		mean := meanOf(points[i*len(points)/parts : (i+1)*len(points)/parts])
		if i > 0 && mean-before < steady*grown {
			return nil
		}
		before = mean
	}
	return []finding.Candidate{{Finding: finding.Finding{
		Severity: finding.Info, Confidence: finding.Proven,
		Title: fmt.Sprintf("the number of threads grew from %.0f to %.0f, %s", first.Value, last.Value,
			r.Between(first.At, last.At)),
		Evidence: []finding.Evidence{finding.Figure(fmt.Sprintf("it grew in every fifth of the time, by %.0f an hour",
			grown/last.At.Sub(first.At).Hours()))},
		Advice: "See whose threads they are: jstall threads FILE.jfr, or jstall PID.",
	}}}
}

func meanOf(points []flight.Point) float64 {
	sum := 0.0
	for _, p := range points {
		sum += p.Value
	}
	return sum / float64(len(points))
}
