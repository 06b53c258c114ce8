package gcpressure

import (
	"fmt"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// fullInEachDump reports a heap that is full in the heap sections of all saved dumps while the collector works.
func fullInEachDump(f *timeline.Timeline) []finding.Candidate {
	full, ok := memory.FullInEachDump(f)
	if !ok {
		return nil
	}
	what := "old generation"
	if memory.IsConcurrent(full.Collector) {
		what = "heap"
	}
	share := finding.Percent(float64(full.OldUsed.Value) / float64(full.OldMax.Value))
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Likely,
		Title: fmt.Sprintf("garbage collection uses %s of the CPU, %s; the %s is %s full, and was full in each dump",
			finding.Percent(full.Work), finding.CoresUsed(full.Cores), what, share),
		Evidence: []finding.Evidence{finding.Figure(fmt.Sprintf("%s: %s of %s in use", what,
			timeline.Megabytes(full.OldUsed.Value), timeline.Megabytes(full.OldMax.Value)))},
	}
	if full.Much {
		result.Severity = finding.Warning
	}
	if cpu.BlameTopThreads(f, &result, cpu.Allocation); len(result.Culprits) == 0 {
		blameAllocators(f, &result)
	}
	result.Advice = gcAdvice(true, len(result.Culprits) > 0, memory.Histogram(nil))
	return []finding.Candidate{{Finding: result}}
}
