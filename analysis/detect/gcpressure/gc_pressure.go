package gcpressure

import (
	"fmt"
	"jstall/analysis/detect"
	"slices"
	"strings"

	"jstall/analysis/facts"
	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/memory"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
	"jstall/threaddump"
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
// Of one dump it is what the GC threads have used since the JVM started (gc_since_start.go).
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
	byHand := collectedByHand(f.Timeline)
	if callers := collectByHand(f.Timeline, byHand); len(callers) > 0 {
		blameCallers(f.Timeline, &result, callers)
		return []finding.Candidate{{Finding: result}}
	}
	if byHand {
		result.Title += "; the program calls System.gc()"
		result.Advice = adviceByHand(f.Timeline)
		return []finding.Candidate{{Finding: result}}
	}
	cpu.BlameTopThreads(f.Timeline, &result, cpu.Allocation)
	result.Advice = gcAdvice(c.Full || c.AllFull > 0, len(result.Culprits) > 0)
	return []finding.Candidate{{Finding: result}}
}

// adviceByHand is to ask no more, unless the JDK does itself to free direct memory.
func adviceByHand(f *timeline.Timeline) string {
	if len(memory.DirectMemory(f)) > 0 {
		return memory.DirectMemoryAdvice
	}
	return "Remove the calls of System.gc(), or start the JVM with -XX:+DisableExplicitGC."
}

// collectedByHand reports that every dump was taken in or after a collection that was
// asked for: the thread that asks has gone on by then, and may not be one of those named.
func collectedByHand(f *timeline.Timeline) bool {
	return !slices.ContainsFunc(f.Snaps, func(s *timeline.Snapshot) bool {
		return s.Counters == nil || memory.LatestGCCause(s.Counters) != "System.gc()"
	})
}

// collectByHand are the application's threads that half of the dumps or more show in
// a collection which they have asked for themselves, one dump if it is known that
// somebody asks.
func collectByHand(f *timeline.Timeline, known bool) []*timeline.Sample {
	var found []*timeline.Sample
	for _, h := range f.Alive() {
		var last *timeline.Sample
		times := 0
		for _, s := range h.Samples {
			if frames := s.Stack.Frames; len(frames) > 0 && frames[0].Name() == "java.lang.Runtime.gc" {
				last = s
				times++
			}
		}
		if last != nil && h.Thread.Role == threaddump.Application && (known || 2*times >= len(f.Snaps)) {
			found = append(found, last)
		}
	}
	return found
}

// blameCallers names the threads that ask for collections.
func blameCallers(f *timeline.Timeline, result *finding.Finding, callers []*timeline.Sample) {
	for _, s := range callers {
		if e, ok := timeline.WorkEvidence(f, f.History(s), s); ok {
			result.Evidence = append(result.Evidence, e)
		}
	}
	result.Culprits = f.Refs(callers)
	result.Title += "; " + timeline.QuoteThreads(callers) + " " + finding.Verb(len(callers), "calls", "call") + " System.gc()"
	result.Advice = adviceByHand(f)
}

func title(c memory.Collections) string {
	var parts []string
	if c.Pauses.Known && c.Pauses.Value >= memory.GCPausesFull {
		parts = append(parts, "garbage collection pauses the application "+finding.Percent(c.Pauses.Value)+" of the time")
	} else {
		parts = append(parts, "garbage collection uses "+finding.Percent(c.Work.Value)+" of the CPU, "+finding.CoresUsed(c.Cores.Value))
	}
	if c.Full {
		parts = append(parts, fmt.Sprintf("the old generation is %s full after it", finding.Percent(float64(c.OldUsed)/float64(c.OldMax))))
	}
	return strings.Join(parts, "; ")
}

// gcAdvice says what to do with a heap that is full or not, where threads that allocate
// are named or not.
func gcAdvice(full, named bool) string {
	switch {
	case full:
		return "The heap is too small for its live objects: find what is retained (jstall class-histogram PID), or increase -Xmx."
	case named:
		return "Allocate less in these threads, or enlarge the heap (-Xmx) or its young generation."
	}
	return "Find the code that allocates (jstall flame --engine jfr --event alloc), or enlarge the heap (-Xmx) or its young generation."
}

func evidence(c memory.Collections) (all []finding.Evidence) {
	if c.Pauses.Known && c.Count.Known {
		all = append(all, finding.Figure(fmt.Sprintf("%s in %s of the time", finding.Counted(int(c.Count.Value), "collection"), finding.Percent(c.Pauses.Value))))
	}
	if c.AllFull > 0 {
		all = append(all, finding.Figure(fmt.Sprintf("%d of them are full ones", c.AllFull)))
	}
	if c.Rate >= memory.GCOften {
		all = append(all, finding.Figure(finding.Counted(int(c.Count.Value), "phase")+" of collections in this time"))
	}
	if c.Cores.Known {
		all = append(all, finding.Figure("GC threads used "+finding.CoresUsed(c.Cores.Value)))
	}
	if c.OldMax > 0 {
		all = append(all, finding.Figure(fmt.Sprintf("old generation: %s of %s in use", timeline.Megabytes(c.OldUsed), timeline.Megabytes(c.OldMax))))
	}
	return all
}
