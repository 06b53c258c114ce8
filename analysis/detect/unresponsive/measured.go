package unresponsive

import (
	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// measured is a reason that the dumps and counters of the capture show, nil if they show none or there are none. It is
// for a JVM of which the moments of the attempt show no reason.
func measured(t *timeline.Timeline) *reason {
	if t == nil || !t.Measurable() {
		return nil
	}
	if r := pausing(memory.MeasureCollections(t)); r != nil {
		return r
	}
	s := cpu.FindStarvation(t)
	if s == nil {
		return nil
	}
	most := 0.0
	for _, h := range s.Threads {
		most = max(most, h.Starved())
	}
	r := &reason{why: finding.Thousands(len(s.Threads)) + " of its threads " +
		finding.Verb(len(s.Threads), "waits", "wait") + " for a CPU up to " + finding.Percent(most) + " of the time",
		advice:   "Give the JVM more CPU, or wait longer with --timeout.",
		severity: finding.Warning, confidence: finding.Likely}
	if s.Cause == cpu.CauseOthers {
		r.advice = starvedAdvice
	}
	return r
}

// pausing is a JVM that garbage collections pause, nil if they do not.
func pausing(c memory.Collections) *reason {
	if _, ok := c.Severity(); !ok || !c.Pauses.Known || c.Pauses.Value < memory.GCPausesFull {
		return nil
	}
	r := &reason{why: "garbage collection pauses it " + finding.Percent(c.Pauses.Value) + " of the time",
		advice: collectionAdvice, severity: finding.Warning, confidence: finding.Likely}
	if c.Full {
		r.why += ", and the old generation is " + finding.Percent(float64(c.OldUsed)/float64(c.OldMax)) + " full"
	}
	return r
}
