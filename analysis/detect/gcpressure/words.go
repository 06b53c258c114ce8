package gcpressure

import (
	"fmt"
	"strings"

	"jstall/analysis/facts/memory"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

func title(c memory.Collections) string {
	var parts []string
	if c.Pauses.Known && c.Pauses.Value >= memory.GCPausesFull {
		parts = append(parts, "garbage collection pauses the application "+finding.Percent(c.Pauses.Value)+
			" of the time")
	} else {
		parts = append(parts, "garbage collection uses "+finding.Percent(c.Work.Value)+" of the CPU, "+
			finding.CoresUsed(c.Cores.Value))
	}
	if c.Full {
		parts = append(parts,
			fmt.Sprintf("the old generation is %s full after it",
				finding.Percent(float64(c.OldUsed)/float64(c.OldMax))))
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

// adviceByHand is to ask no more, unless the JDK does itself to free direct memory.
func adviceByHand(f *timeline.Timeline) string {
	if len(memory.DirectMemory(f)) > 0 {
		return memory.DirectMemoryAdvice
	}
	return "Remove the calls of System.gc(), or start the JVM with -XX:+DisableExplicitGC."
}

func evidence(c memory.Collections) (all []finding.Evidence) {
	if c.Pauses.Known && c.Count.Known {
		all = append(all,
			finding.Figure(fmt.Sprintf("%s in %s of the time", finding.Counted(int(c.Count.Value), "collection"),
				finding.Percent(c.Pauses.Value))))
	}
	if c.AllFull > 0 {
		all = append(all, finding.Figure(fmt.Sprintf("%d of them are full ones", c.AllFull)))
	}
	if c.Rate >= memory.GCOften {
		all = append(all,
			finding.Figure(finding.Counted(int(c.Count.Value), "phase")+" of collections in this time"))
	}
	if c.Cores.Known {
		all = append(all, finding.Figure("GC threads used "+finding.CoresUsed(c.Cores.Value)))
	}
	if c.OldMax > 0 {
		all = append(all,
			finding.Figure(fmt.Sprintf("old generation: %s of %s in use", timeline.Megabytes(c.OldUsed),
				timeline.Megabytes(c.OldMax))))
	}
	return all
}
