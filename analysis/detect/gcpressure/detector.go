package gcpressure

import (
	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/memory"
	"jstall/analysis/finding"
)

// Detector reports collections that take much of the time or of the CPU.
var Detector = detect.Detector{
	Kind: finding.KindGCPressure,
	Doc:  "collections that take much of the time or of the CPU",
	Run:  run,
}

// run reports a collector that leaves the application no time.
//
// Rule: over the capture the application stood still for collections for at least a quarter of
// the time (a tenth if the old generation is 90 % full after them, or 85 % with G1, or if the serial or the
// parallel collector ran five full collections and more, half of all, that nobody asked for,
// over an old generation of which 70 % are in use), or the collector's threads used more
// than half of all CPU (two fifths where the application stands still for a tenth of the time as well) and half a
// core, a quarter in a heap as full as that; less will do where one that works beside the
// application collects all the time, and this waits for memory. Two collections at least:
// one long one is no pressure, nor are pauses in which the
// collector has no CPU. To blame are the threads that
// allocate most, or where the dumps do not count that (JDK 8) the one that likely does.
// Threads that ask for the collections themselves in half of the dumps come before
// both; that somebody asks the counters tell too, and then one dump will do.
//
// Of one dump it is what the GC threads have used since the JVM started (since_start.go).
func run(f *facts.Facts) []finding.Candidate {
	if !f.Measurable() {
		return gcPressureSinceStart(f.Timeline)
	}
	c := memory.MeasureCollections(f.Timeline)
	severity, ok := c.Severity()
	if !ok {
		return nil
	}
	result := finding.Finding{
		Severity: severity, Confidence: finding.Proven, Title: title(c),
		Evidence: evidence(c),
	}
	requested := wereRequested(f.Timeline)
	if callers := requesters(f.Timeline, requested); len(callers) > 0 {
		blameCallers(f.Timeline, &result, callers)
		return []finding.Candidate{{Finding: result}}
	}
	if requested {
		result.Title += callsGC
		result.Advice = requestedAdvice
		return []finding.Candidate{{Finding: result}}
	}
	cpu.BlameTopThreads(f.Timeline, &result, cpu.Allocation)
	result.Advice = gcAdvice(c.Full || c.AllFull > 0, len(result.Culprits) > 0)
	return []finding.Candidate{{Finding: result}}
}
