package gcpressure

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

func title(c memory.Collections) string {
	var parts []string
	if c.Pauses.Known && c.Pauses.Value >= memory.GCPausesFull {
		parts = append(parts, "garbage collection pauses the application "+finding.Percent(c.Pauses.Value)+
			" of the time")
	} else {
		parts = append(parts, fmt.Sprintf("garbage collection uses %s of the CPU, %s",
			finding.Percent(c.Work.Value), finding.CoresUsed(c.Cores.Value)))
	}
	if c.Full {
		full := finding.Percent(float64(c.OldUsed) / float64(c.OldMax))
		parts = append(parts, "the old generation is "+full+" full after it")
	}
	return strings.Join(parts, "; ")
}

// callersWords completes a title with the threads that request collections, if a dump shows them.
func callersWords(callers []*timeline.Sample) string {
	if len(callers) == 0 {
		return "; the program calls System.gc()"
	}
	return "; " + timeline.QuoteThreads(callers) + finding.Verb(len(callers), " calls", " call") + " System.gc()"
}

// gcAdvice is the advice for a heap that is full or not, with or without named threads that allocate. histogram is the
// command that counts the objects of this heap.
func gcAdvice(full, named bool, histogram string) string {
	switch {
	case full:
		return "Find what is retained (" + histogram + "), or increase -Xmx: the heap is too small for its live " +
			"objects."
	case named:
		return "Allocate less in these threads, or increase the heap (-Xmx) or its young generation."
	}
	return "Find the code that allocates (jstall flame PID --engine jfr --event alloc), " +
		"or increase the heap (-Xmx) or its young generation."
}

const requestedAdvice = "Remove the calls of System.gc(), or start the JVM with -XX:+DisableExplicitGC."

func evidence(c memory.Collections) (all []finding.Evidence) {
	if c.Pauses.Known && c.Count.Known {
		all = append(all, finding.Figure(fmt.Sprintf("%s took %s of the time",
			finding.Counted(int(c.Count.Value), "collection"), finding.Percent(c.Pauses.Value))))
	}
	if c.AllFull > 0 {
		all = append(all, finding.Figure(fmt.Sprintf("%d of them were full collections", c.AllFull)))
	}
	if c.Rate >= memory.GCOften {
		all = append(all, finding.Figure(finding.Counted(int(c.Count.Value), "collection phase")+" in this time"))
	}
	if c.Cores.Known {
		all = append(all, finding.Figure("GC threads used "+finding.CoresUsed(c.Cores.Value)))
	}
	if c.OldMax > 0 {
		all = append(all, finding.Figure(fmt.Sprintf("old generation: %s of %s in use",
			timeline.Megabytes(c.OldUsed), timeline.Megabytes(c.OldMax))))
	}
	return all
}

const sinceStartAdvice = "Check how full the heap is after a collection (jcmd PID GC.heap_info) and increase -Xmx, " +
	"or find the code that allocates (jstall flame PID --engine jfr --event alloc)."

func (g gcHistory) threads() string { return finding.Counted(g.pausing+g.concurrent, "GC thread") }

func (g gcHistory) title() string {
	return fmt.Sprintf("garbage collection used %s of the time of %s since the JVM started",
		finding.Percent(g.share()), g.threads())
}

func (g gcHistory) evidence() finding.Evidence {
	return finding.Figure(fmt.Sprintf("%s used %s of CPU time in %s, %s on average", g.threads(),
		finding.LongTime(g.cpu), finding.LongTime(g.age), finding.CoresUsed(g.cpu.Seconds()/g.age.Seconds())))
}
