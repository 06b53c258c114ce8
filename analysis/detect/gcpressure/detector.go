// Package gcpressure finds garbage collections that cost much time or CPU.
package gcpressure

import (
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Detector reports garbage collections that take much of the time or of the CPU.
var Detector = detect.Detector{
	Kind: finding.KindGCPressure,
	Doc:  "garbage collections that take much of the time or of the CPU",
	Run:  run,
}

// run reports a garbage collector that takes much of the application's time or CPU.
//
// Rule: at least two GCs ended within the capture. It is a warning if they paused the application for a quarter of the
// time (a tenth if the old generation is full after them, or full GCs repeat without a request by the program), and
// critical from 80 % on. It is also a warning if GC threads used half of the process's CPU and half a core; less is
// enough if GCs also paused the application for a tenth of the time, in a full heap, or for a concurrent collector that
// runs all the time while the application waits for memory. The constants are in facts/memory.
//
// The culprits are the threads that allocated most: in the capture or, if that shows none, since they were started. If
// the program requested the GCs, the culprits are the threads that half of the dumps show in Runtime.gc, or none.
//
// Without counters the heap sections of saved dumps show whether the heap is full (heap_section.go). One dump shows
// what the GC threads used since the JVM started (since_start.go).
func run(f *facts.Facts) []finding.Candidate {
	if !f.Timeline.Measurable() {
		return gcPressureSinceStart(f.Timeline)
	}
	c := memory.MeasureCollections(f.Timeline)
	severity, ok := c.Severity()
	if !ok && !c.Count.Known {
		return fullInEachDump(f.Timeline)
	}
	if !ok {
		return nil
	}
	result := finding.Finding{
		Severity: severity, Confidence: finding.Proven, Title: title(c),
		Evidence: evidence(c),
	}
	if callers := requesters(f.Timeline); len(callers) > 0 || wereRequested(f.Timeline) {
		result.Title += callersWords(callers)
		result.Culprits, result.Advice = f.Timeline.Refs(callers), requestedAdvice
		return []finding.Candidate{{Finding: result}}
	}
	if cpu.BlameTopThreads(f.Timeline, &result, cpu.Allocation); len(result.Culprits) == 0 {
		blameAllocators(f.Timeline, &result)
	}
	_, last, _ := f.Timeline.Counted()
	result.Advice = gcAdvice(c.Full || c.AllFull > 0, len(result.Culprits) > 0, memory.Histogram(last))
	return []finding.Candidate{{Finding: result}}
}

// wereRequested reports whether every dump was taken during or after a GC that the program requested.
func wereRequested(f *timeline.Timeline) bool {
	return !slices.ContainsFunc(f.Snaps, func(s *timeline.Snapshot) bool {
		return s.Counters == nil || memory.LatestGCCause(s.Counters) != "System.gc()"
	})
}

// requesters returns the application's threads that at least half of the dumps show in Runtime.gc.
func requesters(f *timeline.Timeline) []*timeline.Sample {
	var found []*timeline.Sample
	for _, h := range f.Alive() {
		asks := slices.DeleteFunc(slices.Clone(h.Samples), func(s *timeline.Sample) bool {
			return len(s.Stack.Frames) == 0 || s.Stack.Frames[0].Name() != "java.lang.Runtime.gc"
		})
		if len(asks) > 0 && 2*len(asks) >= len(f.Snaps) && h.Thread.Role == threaddump.Application {
			found = append(found, asks[len(asks)-1])
		}
	}
	return found
}
