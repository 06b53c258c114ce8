// Package deadlock finds threads that wait for each other.
package deadlock

import (
	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// Detector reports threads that wait for each other in a cycle, over locks, class initialisers or joins.
var Detector = detect.Detector{
	Kind:    finding.KindDeadlock,
	Doc:     "threads that wait for each other in a cycle, over locks, class initialisers or joins",
	Virtual: true,
	Run:     run,
}

// run reports every cycle that exists at the end of the capture, one finding each.
//
// Rule: threads wait for each other over monitors, ownable synchronizers or class initialisation. The finding is proven
// if the lines of one dump close the cycle, the JVM itself reports it, or memory shows the task in a queue that closes
// it. It is likely if an owner is inferred (two static initialisers on JDK 8 and 11, a task of a static initialiser,
// loaders of a cache). It is only a hint if a wait ends by itself, or if a dump that was not taken at one instant shows
// the cycle once.
func run(f *facts.Facts) []finding.Candidate {
	found := make([]finding.Candidate, 0, len(f.Locks.Cycles))
	for _, c := range f.Locks.Cycles {
		found = append(found, deadlock(f.Pools, c))
	}
	return append(found, loadCycles(f.IOWaits)...)
}

func deadlock(f *pools.Pools, c *locks.Cycle) finding.Candidate {
	severity, confidence := facts.Grade(f.Timeline, c)
	result := finding.Finding{
		Severity: severity, Confidence: confidence,
		Title: deadlockTitle(f.Timeline, c), Advice: deadlockAdvice(f.Timeline, c),
		Culprits: memberRefs(f.Timeline, c), Victims: f.Timeline.Refs(c.Behind),
		Resource: cycleResource(c), Evidence: cycleEvidence(f.Timeline, c),
	}
	return finding.Candidate{Finding: result, Unlisted: timeline.SizeOf(c.Behind) - len(c.Behind)}
}
